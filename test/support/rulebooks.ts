/** The first release as a rulebook, and copies of it with a few words of their files replaced: it never changes. */

import type { Rulebook } from "../../src/rules/Rulebook.ts"
import { packageRoot, type RuleFiles, type SourceFile } from "../../src/rules/files/readTree.ts"
import { readRules } from "../../src/rules/files/ruleFiles.ts"
import { compileRules } from "../../src/rules/language/compile.ts"
import { preparePolicySet } from "../../src/rules/policies/PreparedPolicySet.ts"
import { loadPolicySet, loadPolicyVersion } from "../../src/rules/policies/loadPolicySet.ts"
import { loadRelease, type Prepared, prepareRelease } from "../../src/rules/release/loadRelease.ts"
import { read } from "./read.ts"

/** In the file of that name, what its compact JSON says and what it is to say instead; null for no file at all. */
export type Edit = readonly [file: string, says: string, instead: string] | readonly [file: string, null]

const none = loadPolicySet(packageRoot, "none")
const first: Prepared = read(loadRelease(packageRoot, "1.0.0"))
const starter = read(loadPolicyVersion(packageRoot, "starter", "1.0.0"))

const applied = (sources: ReadonlyArray<SourceFile>, edits: ReadonlyArray<Edit>): ReadonlyArray<SourceFile> =>
  edits.reduce((all, [file, says, instead]) => {
    if (says === null) return all.filter(({ name }) => name !== file)
    return all.map((source) => {
      if (source.name !== file) return source
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
  const { currencies, factors, lexicon, ruleset, typologies } = first.files
  const all = [ruleset, currencies, ...lexicon, ...factors, ...typologies]
  const names = [...all, ...starter.files.rules, starter.files.policy].map(({ name }) => name)
  if (!names.includes(file)) throw new Error(`there is no file ${file}`)
}

const ruleNames = new Set([...first.files.factors, ...first.files.typologies].map(({ name }) => name))
const onlyRules = (edits: ReadonlyArray<Edit>): boolean => edits.every(([file]) => ruleNames.has(file))

const whole = (files: RuleFiles): Prepared => read(prepareRelease(files, "0".repeat(64)))

/** As `whole`, without preparing the lexicon again. */
const withRules = (files: RuleFiles): Prepared => {
  const rules = read(readRules(files))
  return { rules, files, edition: first.edition.withMatch(compileRules(rules)) }
}

/** Rules alone. */
export const ruleBook = (...edits: ReadonlyArray<Edit>): Rulebook => {
  edits.forEach(assertThere)
  const files = editedFiles(first.files, edits)
  return { label: "edited", release: onlyRules(edits) ? withRules(files) : whole(files), policies: none }
}

export const firstBook: Rulebook = { label: "1.0.0", release: first, policies: none }

/** The starter policies over the first release. */
export const starterBook = (...edits: ReadonlyArray<Edit>): Rulebook => {
  edits.forEach(assertThere)
  const { policy, rules } = starter.files
  const files = { policy: only(applied([policy], edits)), rules: applied(rules, edits) }
  return { label: "starter@edited", release: first, policies: preparePolicySet("starter", files) }
}
