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
  sql: wordList("Words in the names of tools that take SQL; `*` matches any characters."),
  sqlBeginnings: wordList("Words that can begin a SQL statement."),
  resourceCut: fileLimit(
    "The length in characters at which a resource counts as the beginning of `metadata.command`, which is then read instead."
  ),
  commandMax: fileLimit(
    "UTF-16 units of `metadata.command` that are read, counted after normalization; the rest is unread."
  ),
  carriers: wordList(
    "Verbs of tools that only pass a command on. The act of any other verb also counts when the command has low impact."
  ),
  parameters: fileStruct({
    command: wordList('Parameters that hold a command: `command` of `{"command":"ls"}`.'),
    arguments: wordList("Parameters that hold the arguments of the command."),
    beside: wordList(
      "Parameters that may accompany a command without changing what it does. Any other parameter with a value makes the command incomplete."
    ),
    besideOfDevice: wordList("The same, for tools of switches and routers only.")
  }),
  textTools: fileStruct({
    brands: wordList("Leading words that name the tool's vendor."),
    names: wordList("Whole names, without separators, of tools that treat SQL as plain text."),
    acts: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
      description:
        "Verbs, at either end of the name, and objects: tools that search, write messages or edit files."
    })
  }),
  databases: wordList(
    "Words in the names of systems and tool servers that are databases; `*` matches any characters."
  ),
  shell: wordList("Words in the names of tools that take a shell command."),
  device: Schema.Array(WordList).annotate({
    description: "Word sequences in the names of tools that take CLI lines for a network device."
  }),
  fillers: wordList(
    "Next to a program's name, these words only say that the tool calls it: `aws_cli`, `run_kubectl_command`."
  ),
  programs: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
    description: "Names of tools, and the differently named program that each calls."
  }),
  files: fileStruct({
    providers: wordList(
      "Providers whose file tools act on this machine. Tools without a known provider do so too."
    ),
    fillers: wordList("Words in the names of such tools that add no meaning."),
    keys: wordList("Parameters that hold a path, in the order in which the program takes them."),
    programs: Schema.Array(Schema.Tuple([WordList, WordList, WordList])).annotate({
      description:
        "A program with its flags, verbs and objects. A tool whose name has a verb and an object does what the program does."
    })
  })
})
export type ToolsData = typeof CommandToolsFile.Type

export const QueryLanguageFile = fileStruct({
  name: WordList,
  tools: wordList("Words in the names of tools, systems and keys that take it."),
  shaped: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Its queries can be told from code and prose, so tools that run or query anything need not name it."
  }),
  begins: Schema.optionalKey(WordList).annotate({
    description: "Each of its queries begins with one of these."
  }),
  reads: Schema.optionalKey(WordList).annotate({
    description: "A query that begins with one of these only reads."
  }),
  bounds: Schema.optionalKey(WordList).annotate({
    description: "Words and signs that limit what an act affects."
  }),
  deeds: Schema.Array(
    Schema.Union([Schema.Tuple([WordList, ActText]), Schema.Tuple([WordList, ActText, ActText])])
  ).annotate({
    description:
      "Consecutive words, their act, and the act where a word or sign limits it. `^` is the start of the query."
  }),
  program: Schema.optionalKey(WordList).annotate({
    description: "Each line is instead a call of this program."
  }),
  statements: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Its queries are instead read as statements: `db.users.drop()`."
  }),
  methods: Schema.optionalKey(Schema.Record(Schema.NonEmptyString, Schema.Literals(namedActs))).annotate({
    description: "The act of each method of a collection, by the method's lower-case name."
  }),
  why: Why
})
export type QueryLanguageData = typeof QueryLanguageFile.Type

export const PathsFile = Schema.Struct({
  paths: Schema.Array(Schema.Tuple([WordList, WordList])).annotate({
    description:
      "Classes of paths with their patterns; the first class that matches decides. A pattern without `/` can match any segment, `=x` only `x`."
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
  queryKeys: wordList('JSON keys under which a single word is a query: `{"command":"FLUSHALL"}`.'),
  shellEscapes: wordList("A database client passes what follows these to a shell: `\\! rm -rf /`."),
  unlisted: Forms.annotate({
    description:
      "The meaning of the words after a program without an entry: `acmectl tenants purge`. A deletion among them also counts for a program with an entry, if only the entry's form for any words matches."
  }),
  quoted: fileStruct({
    beginnings: wordList(
      "A quoted word of a program that only reads is also read if it begins with one of these."
    ),
    keepers: wordList("Programs that store or search text, so a quoted word is not a command.")
  }),
  limits: structOf(limitNames, FileLimit).annotate({
    description:
      "Limits for one text: UTF-16 units (`text_max`, `parsed_max` including nested texts, `code_max`, `path_length_max`), steps of the code parser, commands, nesting, acts, openings, separators, tokens, paths, words, rows of a sample, function words that make prose."
  }),
  acts: structOf(namedActs, ActText).annotate({ description: "The acts that the readers refer to by name." }),
  holds: someOf(dataClassifications, WordList).annotate({
    description: "Words in a table's or column's name that say what it holds."
  }),
  sqlReadImpacts: someOf(
    dataClassifications,
    Schema.Tuple([ImpactName, ImpactName, ImpactName, ImpactName])
  ).annotate({
    description: "The impact of a SELECT by what it reads: one row, a list, many rows, all rows. Absent: low."
  }),
  sqlFunctions: Schema.Array(Schema.Tuple([WordList, Schema.Literals(namedActs)])).annotate({
    description: "Functions that do more than compute; the name may end in `*`."
  }),
  sqlDeeds: Schema.Array(Schema.Tuple([WordList, WordList, ActText])).annotate({
    description:
      '`["MERGE", "DELETE", act]`: a statement that begins with the first word and contains the others in sequence also does this. `&` separates parts that may be anywhere; `*` means that it affects every row.'
  }),
  sqlColumns: Schema.Array(Schema.Tuple([WordList, ActText])).annotate({
    description: "The act of an UPDATE of such a column; the name may contain `*`."
  }),
  superRoles: wordList("Roles and privileges that grant everything."),
  identifyingColumns: wordList(
    "Words of columns that identify people or things: a group by such a column counts as a row."
  ),
  shownColumns: wordList(
    "Words of columns whose minimum or maximum reveals a secret or a person: `MAX(token)`."
  ),
  sqlFigures: wordList("Aggregate functions that only some dialects have: `PERCENTILE`."),
  switches: wordList(
    "Flags that take no value in any program. The word after any other flag may be its value, unless a form or a list of values names that flag."
  ),
  placeVariables: fileStruct({
    shell: wordList("Variables that name a well-known place."),
    powershell: wordList("The same, and constants, in lower case.")
  }),
  cmdletAliases: wordList(
    "Aliases of cmdlets that no other shell has. Code that begins with one is PowerShell."
  ),
  methods: wordList("Methods of PowerShell objects without outside effects, in lower case."),
  rehearsals: wordList("Flags with which any cmdlet only shows what it would do."),
  temporaryTables: wordList("Words of tables that can be recreated."),
  temporaryEndings: wordList(
    "Words that say so only at the end of a table's own name: `orders_test`, and not `test_results`."
  ),
  runsVariables: wordList("Environment variables that make any program run other code."),
  vitalTables: wordList("Words of tables whose loss stops the business."),
  accessTables: wordList("Words of tables that hold permissions."),
  landings: fileStruct({
    local: wordList("Hosts that are this machine."),
    development: wordList("Patterns of development hosts and contexts: `*.test`, `kind-*`."),
    developmentWords: wordList("Words in the name of a place that say that it is not production."),
    publicEndings: optionalWords("Such words that say nothing as the ending of a public host: `dev`.")
  }).annotate({
    description:
      "For calls that act on another machine or service: names of places that are not production. Any other name says nothing."
  }),
  requests: fileStruct({
    methods: wordList("Flags whose value is the request method."),
    bodies: wordList("Flags whose value is the request body."),
    files: wordList("Flags whose value is a file to send."),
    outputs: wordList("Flags whose value is the output file."),
    asks: optionalWords("Paths at which a POST only queries: `*/_search`. `*` matches any characters."),
    verbs: Schema.Record(Schema.NonEmptyString, Schema.NonEmptyString).annotate({
      description: "Words of a program that stand for a method: `create` is POST."
    })
  }).annotate({ description: "How `curl` and similar programs state an HTTP request." }),
  obeyed: optionalWords(
    "Path classes of files that run automatically or that agents obey: lines written to them count too."
  ),
  kept: wordList("Path classes of data worth keeping: a program that reads such a path passes data on."),
  versioned: wordList("Programs whose name may include a version: `python3.12`."),
  nearby: wordList("Endings of host names that only resolve locally: `local`."),
  stores: wordList("URL schemes of remote files: `s3` of `s3://`."),
  scriptEndings: wordList("File name extensions of programs."),
  functionWords: wordList("Words that occur in prose but not in commands."),
  nameWords: wordList("Those of them that are also names of files, branches or versions: `mv old new`."),
  setUps: Schema.Array(WordList).annotate({
    description:
      'Commands that print shell configuration, as the documentation of a tool gives them: `eval "$(ssh-agent -s)"`. `*` matches any characters.'
  }),
  placelessActs: optionalWords(
    "Acts on the workspace only, and searches. Their file names, branches, messages and patterns are not places: `git commit -m 'Raise prod'`."
  ),
  code: fileStruct({
    runs: wordList(
      "Words of code in any language that pass a string to a shell; `*` matches any characters."
    ),
    removes: wordList("Words of code that delete the paths next to them."),
    flags: wordList("Flags of interpreters whose value is code.")
  }).annotate({
    description: "If unreadable code contains such a word, its strings count as commands."
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
      const message = `\`${name}\` already has an entry in ${owner === file ? "this file" : owner}`
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
        message: `no program is named \`${program}\`${hint}`,
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
      const message = `\`${other}\` itself passes calls to another program: name the program that has the forms`
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
