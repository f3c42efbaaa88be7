/** `lexicon/*.json`, `lexicon/statements/*.json` and `lexicon/interpreters/*.json`: limits, paths, SQL and query languages, and which tools take commands. */

import { Array as Arrays, Record as Records, Result, Schema } from "effect"
import { dataClassifications } from "../../domain/Action.ts"
import { sqlWordLists } from "../../scoring/reading/commands/sql/sqlWords.ts"
import { type FileProblem, type Finding, type Read, readEvery, succeedUnless } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { ImpactName, Why } from "../files/providerFiles.ts"
import { fileNamed, type SourceFile } from "../files/readTree.ts"
import { fileStruct, someOf } from "../files/vocabulary.ts"
import { didYouMean } from "../nearestName.ts"
import {
  ActText,
  FileLimit,
  fileLimit,
  Forms,
  optionalWords,
  otherProgram,
  WordList,
  wordList,
  wordsOf
} from "./actText.ts"
import { type InterpreterData, InterpreterFile } from "./interpreterFiles.ts"
import {
  type ApiData,
  ApiFile,
  type ProgramData,
  ProgramFile,
  ProgramsFile,
  VariablesFile
} from "./programFiles.ts"
import { namedActs } from "../../scoring/reading/commands/CommandReading.ts"

const structOf = <const Keys extends ReadonlyArray<string>, S extends Schema.Constraint>(
  keys: Keys,
  schema: S
) => fileStruct(Object.fromEntries(keys.map((key) => [key, schema])) as { [Key in Keys[number]]: S })

export const CommandToolsFile = fileStruct({
  sql: wordList("Words in the names of tools that take SQL; `*` stands for any characters."),
  sqlBeginnings: wordList("Words that a statement of SQL can begin with."),
  resourceCut: fileLimit(
    "A resource of so many characters can be the beginning of `metadata.command`, which is read instead."
  ),
  commandMax: fileLimit("So many units of it are read then, as they fold; the rest is unread."),
  carriers: wordList(
    "Verbs of names that say that the tool takes a command. Other verbs count along with a command of low impact."
  ),
  parameters: fileStruct({
    command: wordList('Parameters that hold a command: `command` of `{"command":"ls"}`.'),
    arguments: wordList("Parameters that hold the arguments of the command."),
    beside: wordList(
      "Parameters that may accompany a command and change nothing about what it does. With any other that has a value the command is not whole."
    ),
    besideOfDevice: wordList("The same, only for tools of switches and routers.")
  }),
  textTools: fileStruct({
    brands: wordList("Words in front that say whose tool it is."),
    names: wordList("Whole names, without separators, of tools to which SQL is a text."),
    acts: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
      description:
        "Verbs, at either end of the name, and objects: tools that search, write messages or edit files."
    })
  }),
  databases: wordList(
    "Words of systems, and of servers of tools, that are databases; `*` stands for any characters."
  ),
  shell: wordList("Words in the names of tools that take the text of a shell."),
  device: Schema.Array(WordList).annotate({
    description: "Sequences of words of tools that take lines of a network device's CLI."
  }),
  fillers: wordList(
    "Next to the name of a program, these words say only that it is called: `aws_cli`, `run_kubectl_command`."
  ),
  programs: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
    description: "Names of tools, and the program that they call by another name."
  }),
  files: fileStruct({
    providers: wordList(
      "Providers whose tools for files act on this machine. Tools of no known provider do so too."
    ),
    fillers: wordList("Words that may be in the names of such tools and say nothing more."),
    keys: wordList("Parameters that hold a path, in the order in which a program takes the paths."),
    programs: Schema.Array(Schema.Tuple([WordList, WordList, WordList])).annotate({
      description:
        "A program with its flags, verbs, and objects: a tool whose name has one of each does what the program does."
    })
  })
})
export type ToolsData = typeof CommandToolsFile.Type

export const QueryLanguageFile = fileStruct({
  name: WordList,
  tools: wordList("Words of tools, systems and keys that take it."),
  shaped: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "A text in it is told from code and from prose, so that tools that run or ask anything need not name it."
  }),
  begins: Schema.optionalKey(WordList).annotate({ description: "A text in it begins with one of these." }),
  reads: Schema.optionalKey(WordList).annotate({ description: "A text that begins so only reads." }),
  bounds: Schema.optionalKey(WordList).annotate({
    description: "Words and signs that say to which things a deed is done."
  }),
  deeds: Schema.Array(
    Schema.Union([Schema.Tuple([WordList, ActText]), Schema.Tuple([WordList, ActText, ActText])])
  ).annotate({
    description:
      "Words that follow each other, the act, and the act where a sign bounds it. `^` means the start of the text."
  }),
  program: Schema.optionalKey(WordList).annotate({
    description: "Each line of it is a call of this program instead."
  }),
  statements: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Its texts are read as statements instead: `db.users.drop()`."
  }),
  methods: Schema.optionalKey(Schema.Record(Schema.NonEmptyString, Schema.Literals(namedActs))).annotate({
    description: "The act of each method of a collection, by its name in lower case."
  }),
  why: Why
})
export type QueryLanguageData = typeof QueryLanguageFile.Type

export const PathsFile = Schema.Struct({
  paths: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
    description:
      "Classes of paths with their patterns; the first class that fits decides. A pattern without `/` may fit any segment, `=x` only `x`."
  })
})

/** The lists are declared where their words are used. */
export const SqlFile = fileStruct(Records.map(sqlWordLists, wordList))

const limitNames = [
  "textMax",
  "parsedMax",
  "codeMax",
  "codeStepsMax",
  "codeNestingMax",
  "commandsMax",
  "nestingMax",
  "actsMax",
  "openingsMax",
  "separatorsMax",
  "sqlTokensMax",
  "pathsMax",
  "pathLengthMax",
  "wordsMax",
  "sampleMax",
  "proseMin"
] as const

export const CommandsFile = fileStruct({
  queryKeys: wordList('Keys of JSON under which one word alone is a query: `{"command":"FLUSHALL"}`.'),
  shellEscapes: wordList("A client of a database hands the text after these to a shell: `\\! rm -rf /`."),
  unlisted: Forms.annotate({
    description:
      "The meaning of the words after a program without an entry: `acmectl tenants purge`. A deletion among them also counts along with an entry of which only the form for any words fits."
  }),
  quoted: fileStruct({
    beginnings: wordList("Quoted words of programs that only read are read too if they begin so."),
    keepers: wordList("Programs that keep or seek texts, so that a quoted word is no command.")
  }),
  limits: structOf(limitNames, FileLimit).annotate({
    description:
      "Bounds of one text: UTF-16 units (`text_max`, `parsed_max` with texts inside of it, `code_max`, `path_length_max`), steps of a parser of code, commands, nesting, acts, openings, separators, tokens, paths, words, rows of a sample, function words of prose."
  }),
  acts: structOf(namedActs, ActText).annotate({ description: "The acts that the readers name themselves." }),
  holds: someOf(dataClassifications, WordList).annotate({
    description: "Words of a table's or column's name that say what it holds."
  }),
  sqlReadImpacts: someOf(
    dataClassifications,
    Schema.Tuple([ImpactName, ImpactName, ImpactName, ImpactName])
  ).annotate({
    description:
      "The impact of a SELECT by what it reads: of one row, of a list, of many rows, of all. Absent: low."
  }),
  sqlFunctions: Schema.Array(Schema.Tuple([WordList, Schema.Literals(namedActs)])).annotate({
    description: "Functions that do more than compute; the name may end in `*`."
  }),
  sqlDeeds: Schema.Array(Schema.Tuple([WordList, WordList, ActText])).annotate({
    description:
      '`["MERGE", "DELETE", act]`: a statement that begins with the first word, with the further ones in it one after the other, does that too. `&` separates what has to be in it somewhere; `*` says that it meets every row.'
  }),
  sqlColumns: Schema.Array(Schema.Tuple([WordList, ActText])).annotate({
    description: "The act of an UPDATE of such a column; the name may hold `*`."
  }),
  superRoles: wordList("Roles and privileges that give everything."),
  identifyingColumns: wordList(
    "Words of columns that tell people or things apart: what is grouped by one is a row."
  ),
  shownColumns: wordList(
    "Words of columns whose least and greatest value tell a secret or a person: `MAX(token)`."
  ),
  sqlFigures: wordList("Functions of single dialects that make one figure of many rows: `PERCENTILE`."),
  switches: wordList(
    "Flags that take no value in any program. A word after another flag that no form and no list of values names may be its value."
  ),
  placeVariables: fileStruct({
    shell: wordList("Variables whose place everybody knows."),
    powershell: wordList("The same, and constants, in lower case.")
  }),
  cmdletAliases: wordList(
    "Short names of cmdlets that no other shell has. A text that begins with one is PowerShell."
  ),
  methods: wordList("Methods of PowerShell's objects that change nothing outside, in lower case."),
  rehearsals: wordList("Flags with which any cmdlet only shows what it would do."),
  temporaryTables: wordList("Words of tables that can be made again."),
  temporaryEndings: wordList(
    "Words that say so at the end of a table's own name alone: `orders_test`, and not `test_results`."
  ),
  runsVariables: wordList("Variables of the environment that make any program run other code."),
  vitalTables: wordList("Words of tables whose loss stops the business."),
  accessTables: wordList("Words of tables that hold rights."),
  landings: fileStruct({
    local: wordList("Hosts that are this machine."),
    development: wordList("Patterns of hosts and contexts that are for development: `*.test`, `kind-*`."),
    developmentWords: wordList("Words of the name of a place that say that it is not production."),
    publicEndings: optionalWords("Endings of public hosts that are such words and say nothing: `dev`.")
  }).annotate({
    description:
      "Where a call acts on another machine or service: names that say that it is not production. Another name says nothing."
  }),
  requests: fileStruct({
    methods: wordList("Flags whose value is the method of a request."),
    bodies: wordList("Flags whose value is sent."),
    files: wordList("Flags whose value is a file that is sent."),
    outputs: wordList("Flags whose value is the file that is written."),
    asks: optionalWords("Paths at which a POST only asks: `*/_search`. `*` stands for any characters."),
    verbs: Schema.Record(Schema.NonEmptyString, Schema.NonEmptyString).annotate({
      description: "Words of a program that mean a method: `create` is POST."
    })
  }).annotate({ description: "How `curl` and its like state an HTTP request." }),
  obeyed: optionalWords(
    "Classes of paths of files that run by themselves, or that agents obey: the lines that are written there count, too."
  ),
  kept: wordList(
    "Classes of paths with data that someone keeps: a program that reads such a path passes data on."
  ),
  versioned: wordList("Programs that people call by their version: `python3.12`."),
  nearby: wordList("Endings of host names that no public server answers for: `local`."),
  stores: wordList("Schemes of the addresses of remote files: `s3` of `s3://`."),
  scriptEndings: wordList("Endings of the file names of programs."),
  functionWords: wordList("Words that prose has and commands lack."),
  nameWords: wordList("Those of them that files, branches and versions are called, too: `mv old new`."),
  setUps: Schema.Array(WordList).annotate({
    description:
      'Commands that print what sets up a shell, as the documents of a tool say: `eval "$(ssh-agent -s)"`. `*` stands for any characters.'
  }),
  placelessActs: optionalWords(
    "Acts only on the workspace, and searches. The names of their files, branches, messages and patterns are no places: `git commit -m 'Raise prod'`."
  ),
  code: fileStruct({
    runs: wordList(
      "Words of code that hand a text to a shell, whatever the language; `*` stands for any characters."
    ),
    removes: wordList("Words of code that remove the paths stated with them."),
    flags: wordList("Flags of interpreters whose value is code.")
  }).annotate({
    description: "If code could not be read and has such a word, its texts count as commands."
  })
})

export type CommandsFileData = typeof CommandsFile.Type

/** All command files together. */
export interface CommandsData extends Readonly<CommandsFileData> {
  readonly programs: ReadonlyArray<ProgramData>
  /** Keyed by name patterns. The first match wins. */
  readonly cmdlets: ReadonlyArray<ProgramData>
  /** The commands of routers, switches and firewalls. Elsewhere these words are other programs or ordinary words: `no`, `show`. */
  readonly devices: ReadonlyArray<ProgramData>
  readonly queryLanguages: ReadonlyArray<QueryLanguageData>
  readonly apis: ReadonlyArray<ApiData>
  readonly interpreters: ReadonlyArray<InterpreterData>
  readonly tools: ToolsData
  readonly variables: (typeof VariablesFile.Type)["variables"]
  readonly paths: (typeof PathsFile.Type)["paths"]
  readonly sql: typeof SqlFile.Type
}

/** The folders and files of the lexicon that describe commands. */
const commandFolders: ReadonlySet<string> = new Set(["programs", "statements", "interpreters", "apis"])
const commandFileNames: ReadonlySet<string> = new Set([
  "commands",
  "tools",
  "paths",
  "variables",
  "cmdlets",
  "devices",
  "sql"
])

export const isCommandFile = ({ folder, name }: Pick<SourceFile, "folder" | "name">): boolean =>
  commandFolders.has(folder) || (folder !== "providers" && folder !== "words" && commandFileNames.has(name))

/** Reports a name that two files define. */
const namedTwice = (files: ReadonlyArray<readonly [SourceFile, ProgramData]>): ReadonlyArray<Finding> => {
  const owners = new Map<string, string>()
  return files.flatMap(([{ file }, { names }]) =>
    names.split(" ").flatMap((name): ReadonlyArray<Finding> => {
      const owner = owners.get(name)
      owners.set(name, owner ?? file)
      const message = `\`${name}\` has an entry in ${owner === file ? "this file" : owner} already`
      return owner === undefined ? [] : [{ rule: "ambiguous-word", file, path: ["names"], message }]
    })
  )
}

/** Reports names of unknown programs to which tools and forms pass their calls. */
const unknownPrograms = (
  [{ file: toolsFile }, tools]: readonly [SourceFile, ToolsData],
  ofPrograms: ReadonlyArray<readonly [SourceFile, ProgramData]>
): ReadonlyArray<Finding> => {
  const known = new Map(
    ofPrograms.flatMap(([, program]) => wordsOf(program.names).map((name) => [name, program] as const))
  )
  const check = (program: string, file: string, path: FileProblem["path"]): ReadonlyArray<Finding> => {
    if (known.has(program)) return []
    const { hint, suggested } = didYouMean(program, [...known.keys()])
    return [
      {
        rule: "unknown-word",
        file,
        path,
        message: `no program is called \`${program}\`${hint}`,
        ...suggested
      }
    ]
  }
  const handedOn = ofPrograms.flatMap(([{ file }, { forms }]) =>
    forms.flatMap(([, act], i): ReadonlyArray<Finding> => {
      const other = otherProgram(act)
      if (other === undefined) return []
      const path = ["forms", i, 1]
      const again = known.get(other)?.forms.some(([, text]) => otherProgram(text) !== undefined) === true
      if (!again) return check(other, file, path)
      const message = `\`${other}\` hands calls on itself: name the program that has the forms`
      return [{ rule: "never-matches", file, path, message }]
    })
  )
  return [
    ...tools.programs.flatMap(([, program], i) => check(program, toolsFile, ["programs", i, 1])),
    ...handedOn
  ]
}

export const readCommandFiles = (sources: ReadonlyArray<SourceFile>): Read<CommandsData> =>
  Result.gen(function* () {
    const loose = sources.filter(({ folder }) => !commandFolders.has(folder))
    const readNamed = <S extends Schema.ConstraintDecoder<unknown>>(name: string, schema: S) =>
      Result.flatMap(fileNamed(loose, name, "rules/lexicon"), (source) => decodeFile(schema, source))
    const readFolder = <S extends Schema.ConstraintDecoder<unknown>>(name: string, schema: S) =>
      readEvery(sources.filter(({ folder }) => folder === name).map((source) => decodeFile(schema, source)))
    const programs = yield* readFolder("programs", ProgramFile)
    const ofPrograms = sources.filter(({ folder }) => folder === "programs")
    yield* succeedUnless(namedTwice(Arrays.zip(ofPrograms, programs)), () => undefined)
    const queryLanguages = yield* readFolder("statements", QueryLanguageFile)
    const apis = yield* readFolder("apis", ApiFile)
    const interpreters = yield* readFolder("interpreters", InterpreterFile)
    const commands = yield* readNamed("commands", CommandsFile)
    const toolsFile = yield* fileNamed(loose, "tools", "rules/lexicon")
    const tools = yield* decodeFile(CommandToolsFile, toolsFile)
    yield* succeedUnless(
      unknownPrograms([toolsFile, tools], Arrays.zip(ofPrograms, programs)),
      () => undefined
    )
    const { paths } = yield* readNamed("paths", PathsFile)
    const { variables } = yield* readNamed("variables", VariablesFile)
    const sql = yield* readNamed("sql", SqlFile)
    const { programs: cmdlets } = yield* readNamed("cmdlets", ProgramsFile)
    const { programs: devices } = yield* readNamed("devices", ProgramsFile)
    const ofFolders = { programs, queryLanguages, apis, interpreters }
    return { ...commands, ...ofFolders, cmdlets, devices, tools, variables, paths, sql }
  })
