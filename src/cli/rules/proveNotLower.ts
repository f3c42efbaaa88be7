/** `rules prove-not-lower` and `policies prove-not-lower`: prove that no request scores lower or gets a weaker control under the second version, or show one that does. */

import { Effect, Schema } from "effect"
import type { LocatedFinding } from "../../rules/Finding.ts"
import { moveText } from "../../rules/ScoreAndControl.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import { type Proof, proveNotLower } from "../../rules/proof/proveNotLower.ts"
import { currentTerminal, lines, type Terminal, wrap } from "../Terminal.ts"
import { formatFlag } from "../flags.ts"
import { asCase, figure, sentence } from "../texts.ts"
import {
  callsFlag,
  corpusWith,
  type Noun,
  openVersions,
  ruleFiles,
  type Subject,
  subjectArguments,
  versionArguments,
  versionOrDraft
} from "./subject.ts"
import { bool, members, optionalKey, string } from "../jsonShapes.ts"
import { inFormat } from "./findings.ts"
import { witnessSchema } from "./witness.ts"
import { verb, type NounHelp } from "../verb.ts"

const proofShape = members({
  holds: bool(
    "Whether it is proven that no request scores lower or gets a weaker control under the second. Also false if undecided; then there is no witness, and `covers` says so."
  ),
  covers: string("The extent of the proof, in plain words: what was proven, and what was not."),
  witness: optionalKey(
    witnessSchema,
    "A request that scores lower or gets a weaker control under the second; confirmed by scoring it under both."
  ),
  sampled: optionalKey(
    Schema.Struct({ requests: Schema.Int }),
    "The calls that were read, if the knowledge of the two differs."
  ),
  unproven: optionalKey(
    Schema.Array(Schema.String),
    "Codes of the changes that could let a score or a control fall and that no comparison decides."
  )
})

const help: Readonly<Record<Noun, NounHelp>> = {
  rules: {
    about:
      "Prove that no request scores lower or gets a weaker control under the second, or show one that does",
    examples: {
      "1.0.0 draft": "Before the working files are released",
      "1.0.0 draft --format github": "As an annotation in a pull request"
    }
  },
  policies: {
    about:
      "Prove that no request scores lower or gets a weaker control under the second version of a policy set, or show one that does",
    examples: {
      "starter 1.0.0 draft": "Before the working files are released",
      "starter 1.0.0 draft --json": "With the request as in a cases file"
    }
  }
}

export const proveNotLowerVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    fails: "a request scores lower or gets a weaker control, or the proof could not be decided",
    takes: {
      ...subjectArguments[noun],
      ...versionArguments(noun, versionOrDraft[noun], "The version under which nothing may fall, or draft"),
      calls: callsFlag,
      format: formatFlag
    },
    prints: proofShape,
    isBlocking: true,
    run: Effect.fnUntraced(function* ({ calls, format, subject = ruleFiles, ...versions }, command) {
      const { from, to } = yield* openVersions(subject, versions)
      const proof = proveNotLower(from, to, yield* corpusWith(calls))
      const between = `${from.label} → ${to.label}`
      return inFormat(format, {
        ok: proof.holds,
        json: () => proof,
        pretty: () => renderProof(currentTerminal(), proof, between),
        page: { command, scope: between, findings: findingsOf(proof, versionFile(subject)) }
      })
    })
  })

/** The file that states the version: findings point to it, because no line of the rules shows a fall. */
const versionFile = (subject: Subject): string =>
  subject.kind === "rules" ? "rules/ruleset.json" : `policies/${subject.set}/policy.json`

const messageOf = ({ covers, witness }: Proof): string => {
  if (witness === undefined) return covers
  const { from, to, ...situation } = witness
  return `a request ${moveText({ from, to })}: \`${JSON.stringify(situation)}\``
}

const findingsOf = (proof: Proof, file: string): ReadonlyArray<LocatedFinding> =>
  proof.holds
    ? []
    : [{ rule: "could-score-lower", severity: "error", file, line: 1, column: 1, message: messageOf(proof) }]

/** A case in the format of `*.cases.json` and the calibration, without `expect`: the reviewer decides what the score should be. */
const caseOf = (witness: Witness, between: string): string =>
  JSON.stringify({ name: `falls: ${between}`, ...asCase(witness) }, null, 2)

const answer = (screen: Terminal, { holds, witness }: Proof): string => {
  if (holds) return screen.color("green", "no request scores lower or gets a weaker control")
  return witness === undefined
    ? screen.color("yellow", "not decided")
    : screen.color("red", `a request ${moveText(witness)}`)
}

/** A proof for people: the answer, a counterexample as a case to paste, and what the proof covers. */
export const renderProof = (screen: Terminal, proof: Proof, between: string): string => {
  const { covers, sampled, witness } = proof
  return lines(
    `${screen.color("bold", between)}: ${answer(screen, proof)}`,
    "",
    witness !== undefined && [caseOf(witness, between).replaceAll(/^/gm, "  "), ""],
    wrap(sentence(covers), screen.width),
    sampled !== undefined && wrap(`${figure(sampled.requests)} calls were read.`, screen.width)
  ).join("\n")
}
