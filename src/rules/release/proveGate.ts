/** The gate `prove`: under the new rules and numbers, no request may score lower or get a weaker control than under the newest release, and under the new knowledge no call of the corpus may, except by accepted changes. */

import { Result } from "effect"
import type { LocatedFinding, Read } from "../Finding.ts"
import type { Rulebook } from "../Rulebook.ts"
import { moveText } from "../ScoreAndControl.ts"
import type { Situation } from "../cases/Situation.ts"
import type { Corpus } from "../corpus/Corpus.ts"
import { compareKnowledge, knowledgeCode, type KnowledgeComparison } from "../corpus/compareKnowledge.ts"
import type { Witness } from "../counterexample/findWitness.ts"
import { countsOfKind, scopeOfKnowledge } from "../diff/diffKnowledge.ts"
import { changesBetween } from "../diff/diffRulebooks.ts"
import type { RuleFiles, SourceFile } from "../files/readTree.ts"
import { didYouMean } from "../nearestName.ts"
import { preparePolicySet } from "../policies/PreparedPolicySet.ts"
import { type Proof, proveRules } from "../proof/proveNotLower.ts"
import { prepareRelease } from "./loadRelease.ts"
import { locateFinding } from "../files/locate.ts"

export interface GateResult {
  readonly says: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** If absent, the gate passes if it has no findings. */
  readonly ok?: boolean
}

interface ProveGateInput {
  /** Where findings are reported: in the changelog entry, because acceptances must be written there. */
  readonly file: string
  readonly line: number
  readonly corpus: Corpus
}

const describeWitness = (witness: Witness): string => {
  const after = witness.history === undefined ? "" : ", with a history that prove-not-lower shows,"
  return `this request${after} ${moveText(witness)}: ${JSON.stringify(witness.request)}`
}

const describeProof = ({ covers, witness }: Proof): string =>
  witness === undefined ? covers : describeWitness(witness)

/** Rules are judged by their proof, knowledge by the calls of the corpus. Each has its own accepted codes. */
export const proveGate = (
  before: Rulebook,
  draft: Rulebook,
  accepted: ReadonlyArray<string>,
  input: ProveGateInput
): GateResult => {
  const isOfKnowledge = (code: string): boolean => code.startsWith(knowledgeCode)
  const signed = accepted.filter(isOfKnowledge)
  const ofRules = accepted.filter((code) => !isOfKnowledge(code))
  const rules = ruleGate(before, draft, ofRules, input)
  const knowledge = knowledgeGate(before, draft, signed, input)
  return {
    says: [rules, knowledge].flatMap(({ says }) => (says === "" ? [] : [says])).join("; "),
    findings: [...rules.findings, ...knowledge.findings]
  }
}

/** Each kind of calls that fall needs one acceptance with a reason, however many calls it has. */
const knowledgeGate = (
  before: Rulebook,
  draft: Rulebook,
  signed: ReadonlyArray<string>,
  { corpus, file, line }: ProveGateInput
): GateResult => {
  const knowledge = compareKnowledge({ from: before, to: draft }, corpus.calls)
  const toSign = knowledge === null ? [] : [...unseen(knowledge), ...fallingKinds(knowledge)]
  const codes = toSign.map(({ code }) => code)
  const finding = gateFinding("could-score-lower", file)
  return {
    says: knowledge === null ? "" : scopeOfKnowledge(knowledge),
    findings: [
      ...toSign
        .filter(({ code }) => !signed.includes(code))
        .map(({ code, says }) =>
          finding(line, says, `--accept-lower ${code}, with the reason in this changelog`)
        ),
      ...signed
        .filter((code) => !codes.includes(code))
        .map((code) => finding(line, `no call falls by \`${code}\`${didYouMean(code, codes).hint}`))
    ]
  }
}

const fallingKinds = ({ kinds }: KnowledgeComparison) =>
  kinds
    .filter(({ falls }) => falls > 0)
    .map((kind) => {
      const [deepest] = kind.shown
      const shown = deepest === undefined ? "" : `, such as: ${describeWitness(deepest.witness)}`
      return { code: kind.code, says: `of the calls ${kind.says}, ${countsOfKind(kind)}${shown}` }
    })

/** A change that no call shows could lower anything. */
const unseen = ({ differing, files }: KnowledgeComparison) =>
  differing > 0
    ? []
    : [
        {
          code: `${knowledgeCode}unseen`,
          says: `no call of the corpus shows the change in ${files.join(", ")}: write a case that does`
        }
      ]

const ruleGate = (
  before: Rulebook,
  draft: Rulebook,
  accepted: ReadonlyArray<string>,
  { corpus: { samples }, file, line }: ProveGateInput
): GateResult => {
  const finding = (message: string, suggestion?: string) =>
    gateFinding("could-score-lower", file)(line, message, suggestion)
  const proof = proveRules(before, draft, samples)
  if (proof.holds) {
    const message = "nothing scores lower or gets a weaker control, so nothing needs to be accepted for"
    return { says: proof.covers, findings: accepted.map((code) => finding(`${message} \`${code}\``)) }
  }
  const { culprits, looser, proofWithout } = findLowering(before, draft, proof, samples)
  const superfluous = accepted.filter((code) => !looser.includes(code))
  if (superfluous.length > 0) {
    return {
      says: "the accepted codes are not those that got looser",
      findings: superfluous.map((code) =>
        finding(`\`${code}\` got no looser${didYouMean(code, looser).hint}`)
      )
    }
  }
  const rest = accepted.length === 0 ? proof : proofWithout(accepted)
  if (rest?.holds === true) {
    return {
      says: `lower only by ${accepted.join(", ")}, as accepted; the rest: ${rest.covers}`,
      findings: []
    }
  }
  const open = culprits(looser.filter((code) => !accepted.includes(code)))
  const advice = open.map((code) => `--accept-lower ${code}`).join(" ")
  return {
    says: "a request scores lower or gets a weaker control",
    findings: [
      finding(
        describeProof(rest ?? proof),
        open.length === 0 ? undefined : `${advice}, with the reasons in this changelog`
      )
    ]
  }
}

/** The changes of a draft's rules and numbers that can make requests score lower or get a weaker control. */
const findLowering = (
  before: Rulebook,
  draft: Rulebook,
  { unproven = [] }: Proof,
  samples: ReadonlyArray<Situation>
) => {
  /** The changes that lower scores or weaken controls, for all requests or for some, and those that no comparison decides. */
  const looser = changesBetween(before, draft)
    .filter(({ code, kind }) => kind === "looser" || kind === "moved" || unproven.includes(code))
    .map(({ code }) => code)
  /** The proof for the draft with the changes of `codes` reverted; null if that draft is unreadable. */
  const proofWithout = (codes: ReadonlyArray<string>) =>
    Result.match(revert(draft, before, new Set(codes)), {
      onFailure: () => null,
      onSuccess: (kept) => proveRules(before, kept, samples)
    })
  /** Those of `codes` whose change alone lowers something; all of them if only a combination does. */
  const culprits = (codes: ReadonlyArray<string>) => {
    const alone = codes.filter(
      (code) => proofWithout(looser.filter((other) => other !== code))?.holds !== true
    )
    return alone.length > 0 ? alone : codes
  }
  return { looser, proofWithout, culprits }
}

type Codes = ReadonlySet<string>

/** Replaces the files of `codes` by those of the previous release: drops new ones and restores deleted ones. */
const revertByName = (
  now: ReadonlyArray<SourceFile>,
  before: ReadonlyArray<SourceFile>,
  codes: Codes
): ReadonlyArray<SourceFile> => [
  ...now.filter(({ name }) => !codes.has(name)),
  ...before.filter(({ name }) => codes.has(name))
]

/** Lists count too, because their items have paths. */
const isObjectOrList = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null

/** Takes the parts whose path is in `codes`, such as `ruleset.levels.high`, from `old`, and everything else from `json`. */
const revertPlaces = (json: unknown, old: unknown, place: string, codes: Codes): unknown => {
  if (codes.has(place)) return old
  if (!isObjectOrList(json) || !isObjectOrList(old)) return json
  const entries = Object.keys({ ...json, ...old }).flatMap((key): ReadonlyArray<[string, unknown]> => {
    const value = revertPlaces(json[key], old[key], place === "" ? key : `${place}.${key}`, codes)
    return value === undefined ? [] : [[key, value]]
  })
  return Array.isArray(json) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

const revertRules = (now: RuleFiles, before: RuleFiles, codes: Codes): RuleFiles => {
  const revertWithin = (part: "ruleset" | "currencies", place: string): SourceFile => ({
    ...now[part],
    json: revertPlaces(now[part].json, before[part].json, place, codes)
  })
  return {
    ruleset: revertWithin("ruleset", "ruleset"),
    currencies: revertWithin("currencies", ""),
    lexicon: now.lexicon,
    factors: revertByName(now.factors, before.factors, codes),
    typologies: revertByName(now.typologies, before.typologies, codes)
  }
}

/**
 * The draft with the changes of `codes` reverted, to isolate the effect of the other changes. Keeps the draft's digest, which no proof
 * reads.
 */
const revert = (draft: Rulebook, before: Rulebook, codes: Codes): Read<Rulebook> => {
  const files = revertRules(draft.release.files, before.release.files, codes)
  const { policies } = draft
  const rules = revertByName(policies.files.rules, before.policies.files.rules, codes)
  return Result.map(prepareRelease(files, draft.release.model.digest), (release) => ({
    ...draft,
    release,
    policies: preparePolicySet(policies.policySet.name, { ...policies.files, rules })
  }))
}

/** Builds findings of a failed gate at a line of the changelog. */
export const gateFinding =
  (rule: "missing-changelog" | "could-score-lower", file: string) =>
  (line: number, message: string, suggestion?: string): LocatedFinding =>
    locateFinding(() => ({ line, column: 1 }), {
      rule,
      file,
      path: [],
      message,
      ...(suggestion === undefined ? {} : { suggestion })
    })
