/** The files of a policy set: `policy.json`, its rules and its frozen document; also the recommendations file. */

import { Result, Schema } from "effect"
import { controlTypes } from "../../domain/Opinion.ts"
import { isRecord } from "../../json/json.ts"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"
import type { Read } from "../Finding.ts"
import type { PolicyRule } from "../language/Rule.ts"
import { decodeFile } from "./decodeFile.ts"
import type { PolicyFiles, SourceFile } from "./readTree.ts"
import { checkName, PlainRuleFile, readRuleFile } from "./ruleFiles.ts"
import {
  Code,
  fileStruct,
  Instant,
  Points,
  SemVer,
  Sentence,
  SeverityName,
  Sha256Hex,
  Slug
} from "./vocabulary.ts"

const Recommendations = Schema.Record(Code, Sentence)

/** `rules/recommendations.json`: for each code without a file of its own, what the caller should do. */
export const RecommendationsFile = fileStruct({
  recommendations: Recommendations,
  controls: Schema.optionalKey(
    Schema.Record(Code, Sentence).annotate({ description: "The recommended controls, weakest first." })
  ),
  policyFactors: Schema.optionalKey(
    Schema.Record(Code, Sentence).annotate({ description: "The factors that customer policies raise." })
  )
})

/** `policies/<set>/policy.json`: the owner and the version of the set. */
export const PolicySetFile = fileStruct({
  name: Slug,
  version: SemVer,
  owner: Sentence,
  description: Sentence,
  /** Codes that only this set's rules may recommend, in addition to those of `rules/recommendations.json`. */
  recommendations: Schema.optionalKey(Recommendations)
})

/** Exactly one effect, whose name answers show in `policy_context[].effect`. */
const PolicyThen = fileStruct({
  raiseFloor: Schema.optionalKey(fileStruct({ score: Points })),
  addFactor: Schema.optionalKey(
    fileStruct({ severity: SeverityName, message: Sentence, recommendations: Schema.Array(Code) })
  ),
  requireControl: Schema.optionalKey(fileStruct({ type: Schema.Literals(controlTypes) })),
  addRecommendation: Schema.optionalKey(fileStruct({ code: Code })),
  annotate: Schema.optionalKey(fileStruct({ note: Sentence }))
}).check(Schema.makeFilter((then: object) => Object.keys(then).length === 1 || "expected exactly one effect"))

/** `policies/<set>/<rule id>.json`: one rule of a customer, with its one effect. */
export const PolicyRuleFile = fileStruct({
  id: Slug,
  owner: Sentence.annotate({ description: "The owner, who answers for the rule." }),
  description: Sentence,
  why: Sentence.annotate({ description: "The reason for the rule, in one sentence." }),
  /** The limits of the rule. Optional, so that a rule without it still applies; the lint `missing-misses` asks for it. */
  misses: Schema.optionalKey(Sentence.annotate({ description: "Risks that the rule cannot see." })),
  rules: Schema.Tuple([PlainRuleFile]),
  // oxlint-disable-next-line unicorn/no-thenable -- the file format's word; what a file decodes to is never awaited
  then: PolicyThen
})

/** The floor for an unreadable effect: the highest one. */
export const worstFloor = 100

const toMatch = (policy: string, rule: string, then: typeof PolicyThen.Type): PolicyRuleMatch => {
  const named = { policy, rule, recommendations: [] }
  const { addFactor, addRecommendation, annotate, raiseFloor, requireControl } = then
  if (addFactor !== undefined) {
    const { message, recommendations, severity } = addFactor
    return { ...named, effect: "add_factor", factor: { severity, message }, recommendations }
  }
  if (requireControl !== undefined)
    return { ...named, effect: "require_control", control: requireControl.type }
  if (annotate !== undefined) return { ...named, effect: "annotate", note: annotate.note }
  if (addRecommendation !== undefined) {
    return { ...named, effect: "add_recommendation", recommendations: [addRecommendation.code] }
  }
  return { ...named, effect: "raise_floor", floor: raiseFloor?.score ?? worstFloor }
}

/** True for effects that cannot change a score. */
const addsOnlyText = (then: unknown): boolean =>
  isRecord(then) && ("annotate" in then || "add_recommendation" in then)

const thenOf = (json: unknown): unknown => (isRecord(json) ? json["then"] : undefined)

export const readPolicyRule = (policy: string, source: SourceFile): Read<PolicyRule> => {
  const permissions = { raises: !addsOnlyText(thenOf(source.json)), completeness: false }
  return readRuleFile(PolicyRuleFile, source, permissions, (file, [condition]) => {
    const [rule] = file.rules
    return {
      problems: checkName("id", file.id, source.name, [rule.event.type]),
      rules: {
        name: rule.name,
        // Invariant: without problems there is a condition. The fallback always holds, which is the worst case.
        condition: condition ?? { all: [] },
        match: toMatch(policy, file.id, file.then)
      }
    }
  })
}

/** The match of a rule, or of part of a set, whose effect is unknown. */
export const worstMatch = (policy: string, rule: string): PolicyRuleMatch =>
  toMatch(policy, rule, { raiseFloor: { score: worstFloor } })

/** The match of an unreadable rule: its effect, or the worst match if that is unreadable too. */
export const worstMatchOf = (policy: string, source: SourceFile): PolicyRuleMatch =>
  Result.match(decodeFile(PolicyThen, { ...source, json: thenOf(source.json) ?? null }), {
    onFailure: () => worstMatch(policy, source.name),
    onSuccess: (read) => toMatch(policy, source.name, read)
  })

/** `policies/releases/<set>@<version>.json`: a whole policy set as one canonical document. */
export const PolicyReleaseFile = fileStruct({
  name: Slug,
  version: SemVer,
  releasedAt: Instant,
  /** Hex SHA-256 of the canonical form of everything else. */
  digest: Sha256Hex,
  policy: Schema.Unknown,
  rules: Schema.Array(Schema.Unknown),
  /** Absent if the set has none. */
  catalogue: Schema.optionalKey(Schema.Unknown)
})

/**
 * The parts of a policy set that its digest covers. Omits the catalogue if there is none, so that adding the feature did not change
 * digests.
 */
export const policyContent = ({ catalogue, policy, rules }: PolicyFiles) => ({
  policy: policy.json,
  rules: rules.map(({ json }) => json),
  ...(catalogue === undefined ? {} : { catalogue: catalogue.json })
})

/** The document to freeze. Rules are in code unit order of their files, so that equal working files give an equal document. */
export const policyDocument = (files: PolicyFiles, name: string, version: string, releasedAt: string) => ({
  name,
  version,
  released_at: releasedAt,
  ...policyContent(files)
})
