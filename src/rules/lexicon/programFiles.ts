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
  names: optionalWords("Names of the program that this applies to. Absent: all of its names."),
  only: optionalWords("The first operand must be one of these."),
  runs: optionalWords(
    "Flags whose value is a shell command. `-o=ProxyCommand`: the value of `-o` after that name."
  ),
  runsRest: optionalWords("Flags that come before the words of a command."),
  runsBehind: lists("The operands after these are a shell command: `bisect run`."),
  values: optionalWords("Flags there that take the next word as their value."),
  drops: optionalWords("Words there that are not part of the command, such as the names of keys."),
  runsEach: Flag.annotate({ description: "Each operand is a shell command: `concurrently`." }),
  runsBeginnings: optionalWords("The rest of a word that begins with one of these is a shell command: `+!`."),
  keys: optionalWords("Settings whose value is a shell command."),
  shellKeys: optionalWords("Settings whose value is a shell command if it begins with `!` or `/`."),
  usual: optionalWords("Programs that are commonly named there, so naming them says nothing."),
  writes: optionalWords("Flags whose value is a file that it writes."),
  edits: optionalWords("Flags that make it write the files that it otherwise reads."),
  runsWords: lists(
    "A command follows these words: `exec *`; `$` means none. If known, the command counts in addition to the forms."
  ),
  tasks: optionalWords("Names there that are project tasks, not programs of that name: `format`."),
  sends: optionalWords(
    "Data sent to another host: flag values that are known only at run time, and with `<` the input."
  ),
  script: Schema.optionalKey(Schema.Literals(["sed", "awk"])).annotate({
    description: "The first operand is a script in this language."
  }),
  asksNames: Flag.annotate({
    description: "It queries a network server for its operands."
  }),
  lists: Schema.optionalKey(Schema.Trimmed).annotate({
    description:
      "It lists the paths among its operands. The values of these flags are patterns for the paths."
  }),
  filters: Flag.annotate({ description: "It prints some of its input lines unchanged: `head`." }),
  printsNames: optionalWords(
    "It looks up its operands. This prefix and the operand stand for a line of its output: `process-of:node`."
  ),
  forms: Schema.optionalKey(Forms),
  why: Why
})
export type AlsoData = typeof AlsoFile.Type

const RequestFile = fileStruct({
  for: optionalWords("The first operand: `api` of `gh api`. Absent: any."),
  url: optionalWords("Flags whose value is the URL. Absent: the URL is the next operand."),
  base: optionalWords("The prefix of a URL without a host."),
  body: optionalWords("Flags whose value is the request body, in addition to those of `curl`.")
})

const LandingFile = fileStruct({
  always: Flag.annotate({
    description:
      "Every call acts on another machine: `terraform`. Absent: only a call that names a place: `psql -h db.example.com`."
  }),
  local: optionalWords(
    "Names of the program that do so only if the call names a place: `supabase db reset --linked`."
  ),
  calls: Schema.optionalKey(Schema.Array(Schema.Tuple([WordList, WordList]))).annotate({
    description: "Calls of those names that always act there: `firebase`, `deploy`."
  }),
  flags: optionalWords("Flags whose value names the place: `--context`."),
  switches: optionalWords("Flags without a value that imply a place: `--linked`."),
  variables: optionalWords("Environment variables that name the place: `AWS_PROFILE`."),
  operands: Schema.optionalKey(Schema.Literals(["first", "all", "addresses"])).annotate({
    description:
      "The operands that name the place: the first, all, or addresses such as URLs and `host:path`."
  }),
  behind: lists("Words after which all operands name the place: `delete namespace`.")
})

const ruleFields = {
  names: WordList.annotate({
    description:
      "Names of the program, separated by spaces. `./x`: a file of that name in the project. `>` and `>>` are redirections. `remove-*` is a pattern for cmdlets."
  }),
  why: Why,
  values: optionalWords("Flags that take the next word as their value, if no form names the value."),
  switches: optionalWords("Flags that take no value, if no form names them."),
  slashAs: optionalWords("The program that it is if its flags are spelled as on Windows: `rmdir /s`."),
  idle: optionalWords("Flags with which it does not run another command: `command -v`."),
  enters: Flag.annotate({ description: "Later commands run in the folder that it names: `cd`." }),
  refs: Flag.annotate({ description: "An operand can be a revision and a path: `HEAD:.env`." }),
  stores: Flag.annotate({ description: "Its operands are files that its input is written to: `tee`." }),
  moves: Flag.annotate({ description: "It moves its first operand to its last one: `mv`." }),
  decodes: Schema.optionalKey(Schema.Literals(["base64", "reverse"])).annotate({
    description: "The encoding that it decodes, so that known text can be read."
  }),
  flags: Schema.optionalKey(Schema.Literals(["word", "slash"])).annotate({
    description:
      "`word`: `-abc` is one flag, not three. `slash`: as on Windows, `/s` is a flag, and case is ignored."
  }),
  role: Schema.optionalKey(Schema.Literals(programRoles)).annotate({
    description: "How it is read beyond its forms."
  }),
  queries: optionalWords(
    "A word of `tools` in `statements/`: the language of the queries, for a client with the role `query`."
  ),
  runs: Schema.optionalKey(Schema.Literals(["rest", "joined", "dashes"])).annotate({
    description:
      "It runs another command: the words after `skip` operands (`rest`), the same joined into one string (`joined`), or the words after `--` (`dashes`). For SQL: an operand is SQL."
  }),
  skip: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 16 }))),
  runsFor: lists("The operands that must come first for `runs`: `exec`, `compose exec`. Absent: none."),
  runsFlag: optionalWords("Flags whose value is a shell command that it runs."),
  runsFlagIf: lists(
    "Forms of which one must match for `runsFlag`: with another module, `ansible -a` is not a command. Absent: any call."
  ),
  root: Flag.annotate({ description: "It runs the other command as root." }),
  request: Schema.optionalKey(RequestFile).annotate({
    description: "A call of it is an HTTP request: `gh api`."
  }),
  lands: Schema.optionalKey(LandingFile).annotate({
    description:
      "It acts on another machine or service. A word such as `dev` in the name of the place says that this is not production."
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
      "Words that set the place of the later commands in a list with `&&`; the flags and variables that can name that place; and the place, if it is not the next operand: `config use-context`, `--context`."
  }),
  helpFirst: Flag.annotate({
    description:
      "A help flag works only before the first operand: `rm x --help` removes x where the C library does not reorder arguments."
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
      runs: Flag.annotate({ description: "The value is a shell command." }),
      guards: Flag.annotate({ description: "Any value changes a guard of an agent." }),
      usual: optionalWords("Programs that are commonly named there, so naming them says nothing."),
      list: Flag.annotate({ description: "The value is a list of places separated by `:`." }),
      where: optionalWords("Values that are code by an unknown author."),
      unless: optionalWords("Any value except these is such code."),
      why: Why
    })
  )
})
export type VariableData = (typeof VariablesFile.Type)["variables"][number]

const request = /^(\*|[A-Z]+(?:\|[A-Z]+)*) (\/\S*)$/

const parseRequest = (text: string): Pick<PreparedRequest, "methods" | "segments"> => {
  const [, methods, path] = request.exec(text) ?? []
  if (methods === undefined || path === undefined) throw new Error(`Missing a method or a path: ${text}`)
  return {
    methods: methods === "*" ? undefined : new Set(methods.split("|")),
    segments: path.split("/").filter((segment) => segment !== "")
  }
}

const RequestText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseRequest(text)))
).annotate({
  description:
    "`DELETE /repos/*/*`: methods, or `*` for any, and a path. In the path, `*` matches any characters of one segment, a final `**` all further segments."
})
const CommandText = Schema.Trimmed.check(Schema.isNonEmpty()).annotate({
  description: "The equivalent command. `{1}` is the first segment of the path that has a `*`."
})
const SentText = WordList.annotate({
  description:
    "Only if the query or the body contains one of these, written without spaces and quotes and with `:` after a key: `private:false`. `*` matches any characters."
})

export const ApiFile = fileStruct({
  hosts: wordList("Hosts of the service; `*` matches any characters."),
  base: optionalWords("The prefix of every path."),
  requests: Schema.Array(
    Schema.Union([
      Schema.Tuple([RequestText, CommandText]),
      Schema.Tuple([RequestText, CommandText, SentText])
    ])
  ).annotate({
    description:
      "Requests, and the equivalent commands. The first match decides. Any other request is read by the words of its path."
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
