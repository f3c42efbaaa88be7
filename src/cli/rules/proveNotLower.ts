/** `rules prove-not-lower` and `policies prove-not-lower`: is there any request that scores lower under the second version? */

import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import type { LocatedFinding } from "../../rules/Finding.ts"
import type { Rulebook } from "../../rules/Rulebook.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import { readSampleSituations } from "../../rules/counterexample/sampleSituations.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { type Proof, proveNotLower } from "../../rules/proof/proveNotLower.ts"
import { terminal, type Terminal, wrap } from "../Terminal.ts"
import { FindingsExit } from "../commandFailures.ts"
import { type Format, formatFlag, jsonFlag } from "../flags.ts"
import { renderFindings } from "./findings.ts"
import {
  knownPolicyVersion,
  policyRulebook,
  policySetArgument,
  releaseArgument,
  rulebook
} from "./rulebooks.ts"
import { witnessJson, witnessSchema } from "./witness.ts"

export const proofSchema = Schema.Struct({
  holds: Schema.Boolean.annotate({
    description:
      "Whether no request scores lower under the second. Also false where that could not be decided; then there is no witness, and `covers` says so."
  }),
  covers: Schema.String.annotate({ description: "What was proven, and what was not, in plain words." }),
  witness: Schema.optionalKey(witnessSchema).annotate({
    description: "A request that scores lower under the second; confirmed by scoring it under both."
  }),
  sampled: Schema.optionalKey(Schema.Struct({ requests: Schema.Int, seed: Schema.Int })).annotate({
    description: "How many requests were scored besides, where the two read words differently."
  })
})

const proofJson = ({ witness, ...proof }: Proof): typeof proofSchema.Encoded => ({
  ...proof,
  ...(witness === undefined ? {} : { witness: witnessJson(witness) })
})

/** `action-risk rules prove-not-lower <v> <v>`: is there any request that scores lower under the second? */
const fromRelease = releaseArgument("from", "A rule release, or draft for the working files")
const toRelease = releaseArgument("to", "The one that must score nothing lower, likewise")

export const proveRulesNotLower = Command.make(
  "prove-not-lower",
  { from: fromRelease, to: toRelease, format: formatFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ from, to, ...options }) {
    const books = [yield* rulebook(from), yield* rulebook(to)] as const
    yield* printProof("rules prove-not-lower", ...books, { ...options, file: "rules/ruleset.json" })
  })
).pipe(
  Command.withDescription("Prove that no request scores lower under the second, or show one that does"),
  Command.withExamples([
    {
      command: "action-risk rules prove-not-lower 1.0.0 draft",
      description: "Before the working files are released"
    },
    {
      command: "action-risk rules prove-not-lower 1.0.0 draft --format github",
      description: "As an annotation in a pull request"
    }
  ])
)

/** `action-risk policies prove-not-lower <set> <v> <v>`: is there any request that scores lower under the second version? */
const command = "policies prove-not-lower"

const versionArgument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const fromVersion = versionArgument("from", "A version of the set, or draft for the working files")
const toVersion = versionArgument("to", "The one that must score nothing lower, likewise")

export const provePoliciesNotLower = Command.make(
  "prove-not-lower",
  { policySet: policySetArgument, from: fromVersion, to: toVersion, format: formatFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ policySet: set, ...options }) {
    const before = yield* knownPolicyVersion(command, "from", set, options.from)
    const after = yield* knownPolicyVersion(command, "to", set, options.to)
    const books = [yield* policyRulebook(set, before), yield* policyRulebook(set, after)] as const
    yield* printProof(command, ...books, { ...options, file: `policies/${set}/policy.json` })
  })
).pipe(
  Command.withDescription(
    "Prove that no request scores lower under the second version of a policy set, or show one that does"
  ),
  Command.withExamples([
    {
      command: "action-risk policies prove-not-lower starter 1.0.0 draft",
      description: "Before the working files are released"
    },
    {
      command: "action-risk policies prove-not-lower starter 1.0.0 draft --json",
      description: "With the request as a cases file takes it"
    }
  ])
)

/** Proves that nothing scores lower, prints the proof or what breaks it, and ends with 1 where it does not hold. */
interface Options {
  readonly json: boolean
  readonly format: Format
  /** Where a reviewer looks first: the file that names the second one's version. */
  readonly file: string
}

const messageOf = ({ covers, witness }: Proof): string => {
  if (witness === undefined) return covers
  const { fromScore, toScore, ...situation } = witness
  return `a request scored ${fromScore} and now scores ${toScore}: \`${JSON.stringify(situation)}\``
}

const findingsOf = (proof: Proof, file: string): ReadonlyArray<LocatedFinding> =>
  proof.holds
    ? []
    : [{ rule: "could-score-lower", severity: "error", file, line: 1, column: 1, message: messageOf(proof) }]

const printProof = Effect.fn("cli.printProof")(function* (
  command: string,
  from: Rulebook,
  to: Rulebook,
  { file, format, json }: Options
) {
  const proof = proveNotLower(from, to, readSampleSituations(packageRoot))
  const between = `${from.label} → ${to.label}`
  if (json) yield* Console.log(JSON.stringify(proofJson(proof), null, 2))
  else if (format === "pretty") yield* Console.log(renderProof(terminal(), proof, between))
  else {
    const page = { command, scope: between, findings: findingsOf(proof, file) }
    yield* Console.log(renderFindings(format, page, packageRoot))
  }
  if (!proof.holds) return yield* new FindingsExit()
})

/**
 * A proof for people: the answer, what it covers, and a request that breaks it as a case to paste.
 * As `*.cases.json` and the calibration take it, but for what it is to expect.
 */
const caseOf = ({ history, request }: Witness, between: string): string =>
  JSON.stringify(
    { name: `scores lower: ${between}`, request, ...(history === undefined ? {} : { history }) },
    null,
    2
  )

const indented = (text: string): string => text.replaceAll(/^/gm, "  ")

const answer = (sheet: Terminal, { holds, witness }: Proof): string => {
  if (holds) return sheet.color("green", "no request scores lower")
  return witness === undefined
    ? sheet.color("yellow", "not decided")
    : sheet.color("red", `a request scores lower, ${witness.fromScore} → ${witness.toScore}`)
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const renderProof = (sheet: Terminal, proof: Proof, between: string): string => {
  const { covers, sampled, witness } = proof
  return [
    `${sheet.color("bold", between)}: ${answer(sheet, proof)}`,
    "",
    ...(witness === undefined ? [] : [indented(caseOf(witness, between)), ""]),
    ...wrap(sentence(covers), sheet.width),
    ...(sampled === undefined
      ? []
      : wrap(
          `${sampled.requests.toLocaleString("en-US")} requests were scored, seed ${sampled.seed}.`,
          sheet.width
        ))
  ].join("\n")
}
