/** `lexicon/commands.json`: what programs, SQL and paths of a command do. */

import { Schema, SchemaTransformation } from "effect"
import { dataClassifications } from "../../domain/Action.ts"
import { type CommandsData, namedActs, programRoles } from "../../scoring/reading/commands/commandsData.ts"
import { parseAct, prepareCommands } from "../../scoring/reading/commands/prepareCommands.ts"
import { ImpactName } from "./providerFiles.ts"
import { fileStruct, SmallQuantity, snakeCase } from "./vocabulary.ts"

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/** Words separated by blanks; there are lists of several thousand characters. */
const WordList = Schema.Trimmed.check(Schema.isNonEmpty())

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What `read` throws is a finding. */
const withoutFault = (read: () => unknown): true | string => {
  try {
    read()
    return true
  } catch (cause) {
    return messageOf(cause)
  }
}

/** `branch.force_push write high anywhere` */
const ActText = Schema.String.check(Schema.makeFilter((text: string) => withoutFault(() => parseAct(text))))

const byFileName = new Map(namedActs.map((name) => [snakeCase(name), name]))

/** `sql_reads_file` in files, `sqlReadsFile` in code. */
const NamedActName = Schema.Literals([...byFileName.keys()]).pipe(
  Schema.decodeTo(
    Schema.Literals(namedActs),
    SchemaTransformation.transform({
      decode: (name: string) => byFileName.get(name) ?? namedActs[0],
      encode: snakeCase
    })
  )
)

const ProgramFile = fileStruct({
  names: WordList,
  values: Schema.optionalKey(WordList),
  flags: Schema.optionalKey(Schema.Literals(["word", "slash"])),
  role: Schema.optionalKey(Schema.Literals(programRoles)),
  runs: Schema.optionalKey(Schema.Literals(["rest", "joined", "dashes"])),
  skip: Schema.optionalKey(SmallQuantity),
  runsFor: Schema.optionalKey(Schema.Array(WordList)),
  runsFlag: Schema.optionalKey(WordList),
  root: Schema.optionalKey(Schema.Boolean),
  forms: Schema.Array(Schema.Tuple([Schema.Trimmed, ActText]))
})

const someHolds = <S extends Schema.Constraint>(value: S) => {
  const fields = Object.fromEntries(dataClassifications.map((name) => [name, Schema.optionalKey(value)]))
  // The line above gives every classification the same optional value.
  return Schema.Struct(
    fields as { readonly [K in (typeof dataClassifications)[number]]: Schema.optionalKey<S> }
  )
}

// Every named act has a text of its own.
const actFields = Object.fromEntries(namedActs.map((name) => [name, ActText])) as {
  readonly [K in (typeof namedActs)[number]]: typeof ActText
}

export const CommandsFile = fileStruct({
  limits: fileStruct({
    textMax: Limit,
    parsedMax: Limit,
    printMax: Limit,
    commandsMax: Limit,
    nestingMax: Limit,
    actsMax: Limit,
    openingsMax: Limit,
    sqlTokensMax: Limit,
    pathLengthMax: Limit,
    wordsMax: Limit,
    pathsMax: Limit,
    sampleMax: Limit,
    proseMin: Limit
  }),
  programs: Schema.Array(ProgramFile),
  paths: Schema.Array(Schema.Tuple([Schema.Trimmed, WordList])),
  acts: fileStruct(actFields),
  holds: someHolds(WordList),
  sqlReadImpacts: someHolds(Schema.Tuple([ImpactName, ImpactName, ImpactName, ImpactName])),
  sqlFunctions: Schema.Array(Schema.Tuple([WordList, NamedActName])),
  superRoles: WordList,
  temporaryTables: WordList,
  vitalTables: WordList,
  accessTables: WordList,
  localHosts: WordList,
  functionWords: WordList
}).check(Schema.makeFilter((file: CommandsData) => withoutFault(() => prepareCommands(file))))
