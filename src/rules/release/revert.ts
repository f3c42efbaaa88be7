/** A draft with some of its changes taken back, to see what the others do. */

import { Result } from "effect"
import { preparePolicySet } from "../policies/PreparedPolicySet.ts"
import { prepareModel } from "../prepareModel.ts"
import type { Read } from "../Read.ts"
import { draftDigest } from "../releaseDocument.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { RuleFiles, SourceFile } from "../SourceFile.ts"

type Codes = ReadonlySet<string>

/** The files that `codes` name as they were before; those that are new are gone, those that are gone are back. */
const revertByName = (
  now: ReadonlyArray<SourceFile>,
  before: ReadonlyArray<SourceFile>,
  codes: Codes,
  codeOf: (file: SourceFile) => string = ({ name }) => name
): ReadonlyArray<SourceFile> => [
  ...now.filter((file) => !codes.has(codeOf(file))),
  ...before.filter((file) => codes.has(codeOf(file)))
]

const keysOf = (json: object, old: object): ReadonlyArray<string> => [
  ...new Set([...Object.keys(json), ...Object.keys(old)])
]

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null

/** The parts of a document that `codes` name by their place in it, `ruleset.gates.0.floor`, as they were before. */
const revertPlaces = (json: unknown, old: unknown, place: string, codes: Codes): unknown => {
  if (codes.has(place)) return old
  if (!isObject(json) || !isObject(old)) return json
  const entries = keysOf(json, old).flatMap((key): ReadonlyArray<[string, unknown]> => {
    const value = revertPlaces(json[key], old[key], place === "" ? key : `${place}.${key}`, codes)
    return value === undefined ? [] : [[key, value]]
  })
  return Array.isArray(json) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

const revertWithin = (now: SourceFile, before: SourceFile, place: string, codes: Codes): SourceFile => ({
  ...now,
  json: revertPlaces(now.json, before.json, place, codes)
})

const revertRules = (now: RuleFiles, before: RuleFiles, codes: Codes): RuleFiles => ({
  ruleset: revertWithin(now.ruleset, before.ruleset, "ruleset", codes),
  currencies: revertWithin(now.currencies, before.currencies, "", codes),
  lexicon: revertByName(now.lexicon, before.lexicon, codes, ({ name }) => `lexicon.${name}`),
  factors: revertByName(now.factors, before.factors, codes),
  typologies: revertByName(now.typologies, before.typologies, codes)
})

export const revert = (draft: Rulebook, before: Rulebook, codes: Codes): Read<Rulebook> => {
  const files = revertRules(draft.release.files, before.release.files, codes)
  const { policies } = draft
  const rules = revertByName(policies.files.rules, before.policies.files.rules, codes)
  return Result.map(prepareModel(files, draftDigest(files)), (release) => ({
    ...draft,
    release,
    policies: preparePolicySet(policies.policySet.name, { ...policies.files, rules })
  }))
}
