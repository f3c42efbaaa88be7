/** The working rules as a rulebook, and copies of it with a few words of their files replaced. */

import { type ActionClass, actionClasses } from "../../src/domain/Action.ts"
import type { Rulebook } from "../../src/rules/Rulebook.ts"
import { RulesetFile } from "../../src/rules/files/RulesetFile.ts"
import { decodeFile } from "../../src/rules/files/decodeFile.ts"
import { packageRoot, type RuleFiles, type SourceFile } from "../../src/rules/files/readTree.ts"
import { readRules } from "../../src/rules/files/ruleFiles.ts"
import { compileRules } from "../../src/rules/language/compile.ts"
import { preparePolicySet } from "../../src/rules/policies/PreparedPolicySet.ts"
import { loadPolicyVersion } from "../../src/rules/policies/loadPolicySet.ts"
import { type Prepared, prepareRelease } from "../../src/rules/release/loadRelease.ts"
import { openedRulebook } from "./openedRulebook.ts"
import { read } from "./read.ts"

/** In the file of that name (`programs/npm` for a program), the text in its compact JSON and its replacement; null for no file at all. */
export type Edit = readonly [file: string, says: string, instead: string] | readonly [file: string, null]

export const workingBook = openedRulebook("draft")

const { policies: none, release: working } = workingBook
const starter = read(loadPolicyVersion(packageRoot, "starter", "1.0.0"))

/** A program, the parameters of a server and a provider can have one name. */
const nameOf = ({ folder, name }: SourceFile): string =>
  folder === "programs" || folder === "parameters" ? `${folder}/${name}` : name

const applied = (sources: ReadonlyArray<SourceFile>, edits: ReadonlyArray<Edit>): ReadonlyArray<SourceFile> =>
  edits.reduce((all, [file, says, instead]) => {
    if (says === null) return all.filter((source) => nameOf(source) !== file)
    return all.map((source) => {
      if (nameOf(source) !== file) return source
      const text = JSON.stringify(source.json)
      if (!text.includes(says)) throw new Error(`${file} does not say ${says}`)
      return { ...source, json: JSON.parse(text.replace(says, instead)) as unknown }
    })
  }, sources)

const only = (sources: ReadonlyArray<SourceFile>): SourceFile => {
  const [source] = sources
  if (source === undefined) throw new Error("this file has to stay")
  return source
}

const editedFiles = (files: RuleFiles, edits: ReadonlyArray<Edit>): RuleFiles => ({
  ruleset: only(applied([files.ruleset], edits)),
  currencies: only(applied([files.currencies], edits)),
  lexicon: applied(files.lexicon, edits),
  factors: applied(files.factors, edits),
  typologies: applied(files.typologies, edits)
})

const assertThere = ([file]: Edit): void => {
  const { currencies, factors, lexicon, ruleset, typologies } = working.files
  const all = [ruleset, currencies, ...lexicon, ...factors, ...typologies]
  const names = [...all, ...starter.files.rules, starter.files.policy].map(nameOf)
  if (!names.includes(file)) throw new Error(`there is no file ${file}`)
}

const otherFiles = new Set([working.files.currencies, ...working.files.lexicon].map(nameOf))

/** Preparing the lexicon takes a second, so it is only done if words or rates change. */
const prepared = (files: RuleFiles, edits: ReadonlyArray<Edit>): Prepared => {
  if (edits.some(([file]) => otherFiles.has(file))) return read(prepareRelease(files, "0".repeat(64)))
  const rules = read(readRules(files))
  const { version: _version, ...numbers } = read(decodeFile(RulesetFile, files.ruleset))
  return { rules, files, model: { ...working.model, numbers, match: compileRules(rules) } }
}

/** Rules alone. */
export const editedBook = (...edits: ReadonlyArray<Edit>): Rulebook => {
  edits.forEach(assertThere)
  return { label: "edited", release: prepared(editedFiles(working.files, edits), edits), policies: none }
}

/** The starter policies over the working rules. */
export const starterBook = (...edits: ReadonlyArray<Edit>): Rulebook => {
  edits.forEach(assertThere)
  const { policy, rules } = starter.files
  const files = { policy: only(applied([policy], edits)), rules: applied(rules, edits) }
  return { label: "starter@edited", release: working, policies: preparePolicySet("starter", files) }
}

const wholeRuleset = JSON.stringify(working.files.ruleset.json)

/** An edit in the ruleset's part of one class: from its name to the name of the next class. */
export const inClass = (name: ActionClass, says: string, instead: string): Edit => {
  const placeOf = (one: ActionClass) => wholeRuleset.indexOf(`"${one}":{"category"`)
  const from = placeOf(name)
  const ends = actionClasses.map(placeOf).filter((at) => at > from)
  const part = wholeRuleset.slice(from, Math.min(wholeRuleset.length, ...ends))
  if (from < 0 || !part.includes(says)) throw new Error(`class ${name} does not say ${says}`)
  return ["ruleset", part, part.replace(says, instead)]
}
