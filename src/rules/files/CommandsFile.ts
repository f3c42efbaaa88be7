/** `lexicon/commands.json`: what programs, SQL and paths of a command do. */

import { Result, Schema } from "effect"
import { dataClassifications } from "../../domain/Action.ts"
import { type CommandsData, programRoles } from "../../scoring/reading/commands/commandsData.ts"
import { namedActs, parseAct } from "../../scoring/reading/Act.ts"
import { prepareCommands } from "../../scoring/reading/commands/prepareCommands.ts"
import type { Read } from "../Finding.ts"
import { decodeFile } from "./decodeFile.ts"
import { ImpactName, Why } from "./providerFiles.ts"
import { fileNamed, type SourceFile } from "./readTree.ts"
import { fileStruct, someOf } from "./vocabulary.ts"

/** Words with spaces between them; there are lists of several thousand characters. */
const WordList = Schema.Trimmed.check(Schema.isNonEmpty())
const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/** What `read` throws is what is wrong. */
const faultOf = (read: () => unknown): true | string => {
  try {
    read()
    return true
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** `branch.force_push write high anywhere` */
const ActText = Schema.String.check(Schema.makeFilter((text: string) => faultOf(() => parseAct(text))))

/** What words of a command line fit, and what they do then. */
const Forms = Schema.Array(Schema.Tuple([Schema.Trimmed, ActText]))

const structOf = <const Keys extends ReadonlyArray<string>, S extends Schema.Constraint>(
  keys: Keys,
  schema: S
) => fileStruct(Object.fromEntries(keys.map((key) => [key, schema])) as { [Key in Keys[number]]: S })

const ProgramFile = fileStruct({
  names: WordList,
  values: Schema.optionalKey(WordList),
  flags: Schema.optionalKey(Schema.Literals(["word", "slash"])),
  role: Schema.optionalKey(Schema.Literals(programRoles)),
  runs: Schema.optionalKey(Schema.Literals(["rest", "joined", "dashes"])),
  skip: Schema.optionalKey(Count),
  runsFor: Schema.optionalKey(Schema.Array(WordList)),
  runsFlag: Schema.optionalKey(WordList),
  root: Schema.optionalKey(Schema.Boolean),
  device: Schema.optionalKey(Schema.Boolean),
  request: Schema.optionalKey(
    fileStruct({
      for: Schema.optionalKey(WordList),
      url: Schema.optionalKey(WordList),
      base: Schema.optionalKey(WordList),
      body: Schema.optionalKey(WordList)
    })
  ),
  helpFirst: Schema.optionalKey(Schema.Boolean),
  why: Why,
  forms: Forms
})

const reachLists = [
  "only",
  "runs",
  "runsRest",
  "values",
  "drops",
  "runsBeginnings",
  "keys",
  "shellKeys",
  "usual",
  "writes",
  "edits",
  "tasks",
  "sends"
] as const

const ReachFile = fileStruct({
  names: WordList,
  ...(Object.fromEntries(reachLists.map((key) => [key, Schema.optionalKey(WordList)])) as {
    readonly [Key in (typeof reachLists)[number]]: Schema.optionalKey<typeof WordList>
  }),
  runsBehind: Schema.optionalKey(Schema.Array(WordList)),
  runsWords: Schema.optionalKey(Schema.Array(WordList)),
  script: Schema.optionalKey(Schema.Literals(["sed", "awk"])),
  asksNames: Schema.optionalKey(Schema.Boolean),
  forms: Schema.optionalKey(Forms),
  why: Why
})

const VariableFile = fileStruct({
  names: WordList,
  runs: Schema.optionalKey(Schema.Boolean),
  usual: Schema.optionalKey(WordList),
  list: Schema.optionalKey(Schema.Boolean),
  where: Schema.optionalKey(WordList),
  unless: Schema.optionalKey(WordList),
  why: Why
})

const ToolsFile = fileStruct({
  sql: WordList,
  sqlBeginnings: WordList,
  resourceCut: Count,
  commandMax: Count,
  carriers: WordList,
  parameters: fileStruct({
    command: WordList,
    arguments: WordList,
    beside: WordList,
    besideOfDevice: WordList
  }),
  textTools: fileStruct({
    brands: WordList,
    names: WordList,
    acts: Schema.Array(Schema.Tuple([WordList, WordList]))
  }),
  shell: WordList,
  device: Schema.Array(WordList),
  fillers: WordList,
  programs: Schema.Array(Schema.Tuple([WordList, WordList]))
})

const QueryLanguageFile = fileStruct({
  name: WordList,
  tools: WordList,
  shaped: Schema.optionalKey(Schema.Boolean),
  begins: Schema.optionalKey(WordList),
  reads: Schema.optionalKey(WordList),
  bounds: Schema.optionalKey(WordList),
  deeds: Schema.Array(
    Schema.Union([Schema.Tuple([WordList, ActText]), Schema.Tuple([WordList, ActText, ActText])])
  ),
  program: Schema.optionalKey(WordList),
  statements: Schema.optionalKey(Schema.Boolean),
  why: Why
})

export const CommandsFile = fileStruct({
  tools: ToolsFile,
  queryLanguages: Schema.Array(QueryLanguageFile),
  queryKeys: WordList,
  shellEscapes: WordList,
  reaches: Schema.Array(ReachFile),
  variables: Schema.Array(VariableFile),
  unlisted: Forms,
  quoted: fileStruct({ beginnings: WordList, keepers: WordList }),
  limits: structOf(
    [
      "textMax",
      "parsedMax",
      "printMax",
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
    ],
    Count
  ),
  programs: Schema.Array(ProgramFile),
  paths: Schema.Array(Schema.Tuple([WordList, WordList])),
  acts: structOf(namedActs, ActText),
  holds: someOf(dataClassifications, WordList),
  sqlReadImpacts: someOf(dataClassifications, Schema.Tuple([ImpactName, ImpactName, ImpactName, ImpactName])),
  sqlFunctions: Schema.Array(Schema.Tuple([WordList, Schema.Literals(namedActs)])),
  sqlDeeds: Schema.Array(Schema.Tuple([WordList, WordList, ActText])),
  sqlColumns: Schema.Array(Schema.Tuple([WordList, ActText])),
  superRoles: WordList,
  identifyingColumns: WordList,
  shownColumns: WordList,
  sqlFigures: WordList,
  switches: WordList,
  temporaryTables: WordList,
  temporaryEndings: WordList,
  runsVariables: WordList,
  vitalTables: WordList,
  accessTables: WordList,
  localHosts: WordList,
  functionWords: WordList
}).check(Schema.makeFilter((file: CommandsData) => faultOf(() => prepareCommands(file))))

export const readCommandsFile = (sources: ReadonlyArray<SourceFile>): Read<CommandsData> =>
  Result.flatMap(fileNamed(sources, "commands", "rules/lexicon"), (source) =>
    decodeFile(CommandsFile, source)
  )
