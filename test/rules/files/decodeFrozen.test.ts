import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  CommandsFile,
  PathsFile,
  QueryLanguageFile,
  CommandToolsFile
} from "../../../src/rules/lexicon/commandFiles.ts"
import { ProgramFile, ProgramsFile, VariablesFile } from "../../../src/rules/lexicon/programFiles.ts"
import { RulesetFile } from "../../../src/rules/files/RulesetFile.ts"
import { decodeFile } from "../../../src/rules/files/decodeFile.ts"
import { markFrozen } from "../../../src/rules/files/decodeFrozen.ts"
import { ProviderFile } from "../../../src/rules/files/providerFiles.ts"
import { packageRoot, readRuleTree, type SourceFile } from "../../../src/rules/files/readTree.ts"
import {
  ImpactsFile,
  ObjectsFile,
  SignalsFile,
  VerbsFile,
  WordListsFile
} from "../../../src/rules/files/wordFiles.ts"
import { read } from "../../support/read.ts"

const files = read(readRuleTree(packageRoot))

const schemas: Readonly<Record<string, Schema.ConstraintDecoder<unknown>>> = {
  cmdlets: ProgramsFile,
  commands: CommandsFile,
  devices: ProgramsFile,
  impacts: ImpactsFile,
  objects: ObjectsFile,
  paths: PathsFile,
  signals: SignalsFile,
  tools: CommandToolsFile,
  variables: VariablesFile,
  verbs: VerbsFile,
  words: WordListsFile
}

const ofFolders: Readonly<Record<string, Schema.ConstraintDecoder<unknown>>> = {
  programs: ProgramFile,
  providers: ProviderFile,
  statements: QueryLanguageFile
}

const schemaOf = ({ folder, name }: SourceFile): Schema.ConstraintDecoder<unknown> =>
  ofFolders[folder] ?? schemas[name] ?? RulesetFile

const frozen = (source: SourceFile): SourceFile => {
  const json: unknown = structuredClone(source.json)
  markFrozen(json)
  return { ...source, json }
}

describe("a part of a frozen release", () => {
  it("is read as its schema reads it, each file of the ruleset and of the lexicon", () => {
    for (const source of [files.ruleset, ...files.lexicon]) {
      const schema = schemaOf(source)
      expect([source.file, decodeFile(schema, frozen(source))]).toEqual([
        source.file,
        decodeFile(schema, source)
      ])
    }
  })

  it("is checked again where a copy of it was changed", () => {
    const source = frozen(files.ruleset)
    const changed = { ...source, json: { ...Object(source.json), version: "newest" } }
    expect(Result.isFailure(decodeFile(RulesetFile, changed))).toBe(true)
  })
})
