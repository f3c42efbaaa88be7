/** `lexicon/programs/*.json`, `cmdlets.json`, `devices.json` and `variables.json`: what programs do, by their command lines. `lexicon/apis/*.json`: equivalent requests. */

import { Schema } from "effect"
import { Flag, Why } from "../files/providerFiles.ts"
import { fileStruct } from "../files/vocabulary.ts"
import {
  type PreparedApi,
  type PreparedRequest,
  programRoles
} from "../../scoring/reading/commands/Commands.ts"
import { faultOf, Forms, madeFrom, optionalWords, WordList, wordList, wordsOf } from "./actText.ts"

const lists = (description: string) => Schema.optionalKey(Schema.Array(WordList)).annotate({ description })

/** Side effects of a program, which are added to the act of its form. */
const AlsoFile = fileStruct({
  names: optionalWords("Names of the program for which this holds. Absent: all of its names."),
  only: optionalWords("The first operand has to be one of these."),
  runs: optionalWords(
    "Flags whose value is a text for a shell. `-o=ProxyCommand`: the value of `-o` after that name."
  ),
  runsRest: optionalWords("Flags that come before the words of a command."),
  runsBehind: lists("The operands after these are a text for a shell: `bisect run`."),
  values: optionalWords("Flags there that take the next word."),
  drops: optionalWords("Words there that are no part of the text, such as the names of keys."),
  runsEach: Flag.annotate({ description: "Each operand is a text for a shell: `concurrently`." }),
  runsBeginnings: optionalWords("The rest of a word with such a beginning is a text for a shell: `+!`."),
  keys: optionalWords("Settings whose value is a text for a shell."),
  shellKeys: optionalWords("Settings whose value is one where it begins with `!` or `/`."),
  usual: optionalWords("Programs that people name there, so that naming them says nothing."),
  writes: optionalWords("Flags whose value is a file that it writes."),
  edits: optionalWords("Flags with which it writes the files that it otherwise reads."),
  runsWords: lists(
    "The words of a command follow these: `exec *`, and `$` for nothing. They count in addition to the forms, if the command is known."
  ),
  tasks: optionalWords("Names there that are tasks of the project, not the programs of that name: `format`."),
  sends: optionalWords(
    "Data that leaves for another host: values of flags that exist only when it runs, and with `<` the data that comes in."
  ),
  script: Schema.optionalKey(Schema.Literals(["sed", "awk"])).annotate({
    description: "The first operand is a script in this language."
  }),
  asksNames: Flag.annotate({
    description: "It asks a server of the network for the names that it is given."
  }),
  lists: Schema.optionalKey(Schema.Trimmed).annotate({
    description:
      "It lists paths: those that it is given. The values of these flags are patterns of the paths."
  }),
  filters: Flag.annotate({ description: "It prints some of the lines that it reads, unchanged: `head`." }),
  printsNames: optionalWords(
    "It looks up the names that it is given. This and the name stand for a line of its output: `process-of:node`."
  ),
  forms: Schema.optionalKey(Forms),
  why: Why
})
export type AlsoData = typeof AlsoFile.Type

const RequestFile = fileStruct({
  for: optionalWords("The first operand: `api` of `gh api`. Absent: any."),
  url: optionalWords("Flags whose value is the address. Absent: the address is the next operand."),
  base: optionalWords("The prefix of an address without a host."),
  body: optionalWords("Flags whose value is sent, in addition to those of `curl`.")
})

const LandingFile = fileStruct({
  always: Flag.annotate({
    description:
      "Every call acts there: `terraform`. Absent: only a call that names a place: `psql -h db.example.com`."
  }),
  local: optionalWords(
    "Names of the program that do so only where a call names a place: `supabase db reset --linked`."
  ),
  calls: Schema.optionalKey(Schema.Array(Schema.Tuple([WordList, WordList]))).annotate({
    description: "Calls of such names that act there by themselves: `firebase`, `deploy`."
  }),
  flags: optionalWords("Flags whose value names the place: `--context`."),
  switches: optionalWords("Flags without a value that say that there is one: `--linked`."),
  variables: optionalWords("Variables of the environment that name it: `AWS_PROFILE`."),
  operands: Schema.optionalKey(Schema.Literals(["first", "all", "addresses"])).annotate({
    description:
      "The operands that name the place: the first, all, or those that are addresses, such as URLs and `host:path`."
  }),
  behind: lists("Words after which all operands name the place: `delete namespace`.")
})

const ruleFields = {
  names: WordList.annotate({
    description:
      "Names of the program, separated by spaces. `./x`: a file of that name in the project. `>` and `>>` are redirections. `remove-*` is a pattern for cmdlets."
  }),
  why: Why,
  values: optionalWords("Flags that take the next word as their value, where no form names the value."),
  switches: optionalWords("Flags that take no value, where no form names them."),
  slashAs: optionalWords(
    "The program that it is where it is given flags as Windows spells them: `rmdir /s`."
  ),
  idle: optionalWords("With one of these flags it runs no other command: `command -v`."),
  enters: Flag.annotate({ description: "The commands after it run in the folder that it names: `cd`." }),
  refs: Flag.annotate({ description: "An operand can be a path after a revision: `HEAD:.env`." }),
  stores: Flag.annotate({ description: "Its operands are files that hold what comes in: `tee`." }),
  moves: Flag.annotate({ description: "Its first operand is afterwards in its last one: `mv`." }),
  decodes: Schema.optionalKey(Schema.Literals(["base64", "reverse"])).annotate({
    description: "It decodes text in this way, so that known text can be read."
  }),
  flags: Schema.optionalKey(Schema.Literals(["word", "slash"])).annotate({
    description:
      "`word`: `-abc` is one flag, not three. `slash`: Windows, `/s` is a flag, and case means nothing."
  }),
  role: Schema.optionalKey(Schema.Literals(programRoles)).annotate({
    description: "How it is read beyond its forms."
  }),
  queries: optionalWords(
    "A word of `tools` in `statements/`: the language of the texts of a client with the role `query`."
  ),
  runs: Schema.optionalKey(Schema.Literals(["rest", "joined", "dashes"])).annotate({
    description:
      "It runs another command: the words after `skip` operands, the same joined to one text, the words after `--`. For SQL: an operand is SQL."
  }),
  skip: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 16 }))),
  runsFor: lists(
    "The operands that must come first for `runs`: `exec`, `compose exec`. Without these, no operand must."
  ),
  runsFlag: optionalWords("Flags whose value is a shell text that it runs."),
  runsFlagIf: lists(
    "Forms of which one has to fit for `runsFlag`: with another module, `ansible -a` is no command. Absent: any call."
  ),
  root: Flag.annotate({ description: "It runs the other command as the administrator." }),
  request: Schema.optionalKey(RequestFile).annotate({
    description: "A call of it is an HTTP request: `gh api`."
  }),
  lands: Schema.optionalKey(LandingFile).annotate({
    description:
      "It acts on another machine or service. A name of the place with a word such as `dev` says that this is not production."
  }),
  chooses: Schema.optionalKey(
    Schema.Array(
      Schema.Union([
        Schema.Tuple([Schema.Trimmed, WordList]),
        Schema.Tuple([Schema.Trimmed, WordList, WordList])
      ])
    )
  ).annotate({
    description:
      "Words with which it chooses the place of the next commands of a list with `&&`; the flags and variables that would name the place; and the place, where it is not the next operand: `config use-context`, `--context`."
  }),
  helpFirst: Flag.annotate({
    description:
      "Help is asked for before the first operand only: `rm x --help` removes x wherever the C library does not sort arguments."
  }),
  forms: Forms,
  also: Schema.optionalKey(Schema.Array(AlsoFile))
}

export const ProgramFile = fileStruct(ruleFields)
export type ProgramData = typeof ProgramFile.Type

export const ProgramsFile = Schema.Struct({ programs: Schema.Array(ProgramFile) })

export const VariablesFile = Schema.Struct({
  variables: Schema.Array(
    fileStruct({
      names: WordList,
      runs: Flag.annotate({ description: "The value is a text for a shell." }),
      guards: Flag.annotate({ description: "Any value changes what guards an agent." }),
      usual: optionalWords("Programs that people name there, so that naming them says nothing."),
      list: Flag.annotate({ description: "The value is a list with `:` between the places." }),
      where: optionalWords("Values that are code of an unknown author."),
      unless: optionalWords("Any other value is."),
      why: Why
    })
  )
})
export type VariableData = (typeof VariablesFile.Type)["variables"][number]

const request = /^(\*|[A-Z]+(?:\|[A-Z]+)*) (\/\S*)$/

const parseRequest = (text: string): Pick<PreparedRequest, "methods" | "segments"> => {
  const [, methods, path] = request.exec(text) ?? []
  if (methods === undefined || path === undefined) throw new Error(`No method and path: ${text}`)
  return {
    methods: methods === "*" ? undefined : new Set(methods.split("|")),
    segments: path.split("/").filter((segment) => segment !== "")
  }
}

const RequestText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseRequest(text)))
).annotate({
  description:
    "`DELETE /repos/*/*`: methods, `*` for any, and a path. `*` stands for any characters of one segment, a last `**` for all that follow."
})
const CommandText = Schema.Trimmed.check(Schema.isNonEmpty()).annotate({
  description: "The command that does the same. `{1}` is the first segment of the path that has a `*`."
})
const SentText = WordList.annotate({
  description:
    "Only where the query or the body has one of these, without blanks and quotes and with `:` after a key: `private:false`. `*` stands for any characters."
})

export const ApiFile = fileStruct({
  hosts: wordList("Hosts of the service; `*` stands for any characters."),
  base: optionalWords("The beginning of each path."),
  requests: Schema.Array(
    Schema.Union([
      Schema.Tuple([RequestText, CommandText]),
      Schema.Tuple([RequestText, CommandText, SentText])
    ])
  ).annotate({
    description:
      "Requests, and the commands that do the same. The first that fits decides. Another request is read by the words of its path."
  }),
  why: Why
})
export type ApiData = typeof ApiFile.Type

export const prepareApis = (data: ReadonlyArray<ApiData>): ReadonlyArray<PreparedApi> =>
  data.map(({ base = "", hosts, requests }) => ({
    hosts: wordsOf(hosts),
    base: base.split("/").filter((segment) => segment !== ""),
    requests: requests.map((written) =>
      madeFrom<PreparedRequest>(written, ["command"], {
        ...parseRequest(written[0]),
        command: written[1],
        sent: written[2] === undefined ? undefined : wordsOf(written[2])
      })
    )
  }))
