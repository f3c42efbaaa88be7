/** `rules release` and `policies release`: run every gate on the working files, then freeze them as a release. */

import { Clock, Console, Effect, Result, Schema } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { packageRoot } from "../../rules/files/readTree.ts"
import { SemVer } from "../../rules/files/vocabulary.ts"
import { policyCandidate, type ReleaseCandidate, ruleCandidate } from "../../rules/release/Candidate.ts"
import { freeze } from "../../rules/release/frozen.ts"
import { type Gate, gateNames, releaseGates, type ReleaseReport } from "../../rules/release/releaseGates.ts"
import { currentTerminal, lines, type Style, type Terminal, wrap } from "../Terminal.ts"
import { FindingsExit, refuse } from "../commandFailures.ts"
import { callsAt, callsFlag, type Noun, ruleFiles, subjectArguments } from "./subject.ts"
import { bool, documentOf, list, literals, members, nullOr, string } from "../jsonShapes.ts"
import { findingLines, Found } from "./findings.ts"
import { verb, type NounHelp } from "../verb.ts"
import { switchFlag, textFlag } from "../flags.ts"

const gateShape = members(
  {
    name: Schema.Literals(gateNames),
    outcome: literals(
      ["passed", "failed", "not run"],
      "`not run`: the files cannot be read, which another gate reports."
    ),
    ms: Schema.Int,
    says: string("The gate's result, for people."),
    findings: Schema.Array(Found)
  },
  { name: "gate" }
)

export const releaseShape = members(
  {
    ok: bool("Whether every gate is passed."),
    name: string("`1.1.0`, or of a policy set `starter@1.1.0`."),
    from: nullOr(Schema.String, "The newest version before; null for a first release."),
    dryRun: Schema.Boolean,
    gates: list(gateShape, "In the order in which they run."),
    frozen: nullOr(
      members({
        file: Schema.String,
        digest: string("SHA-256, hex."),
        releasedAt: Schema.String
      }),
      "The written file; null if a gate failed and in a dry run."
    )
  },
  { name: "release" }
)

const releaseFlags = {
  acceptLower: textFlag("accept-lower", "code").pipe(
    Flag.withDescription(
      "A code that may lower scores or weaken controls, once for each; the changelog says why"
    ),
    Flag.atLeast(0)
  ),
  calls: callsFlag,
  dryRun: switchFlag("dry-run", "Run the gates without writing anything")
}

interface ReleaseOptions extends Command.Command.Config.Infer<typeof releaseFlags> {
  readonly json: boolean
}

const help: Readonly<Record<Noun, NounHelp>> = {
  rules: {
    about: "Check, test and prove the working rules, and freeze them as a permanent release",
    examples: {
      "1.1.0 --dry-run": "What the gates report",
      "1.1.0 --accept-lower HIGH_RECORD_COUNT":
        "Even if that factor lowers scores or weakens controls; the changelog says why"
    }
  },
  policies: {
    about: "Check, test and prove a policy set, and freeze it as a permanent version",
    examples: {
      "starter 1.1.0 --dry-run": "What the gates report",
      "starter 1.1.0 --json": "For scripts"
    }
  }
}

export const releaseVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    fails: "a gate is not passed, and nothing was released",
    takes: {
      ...subjectArguments[noun],
      version: Argument.String("version").pipe(
        Argument.withDescription("The version to release, which the files already state"),
        Argument.withSchema(SemVer)
      ),
      ...releaseFlags
    },
    prints: releaseShape,
    run: ({ subject = ruleFiles, version, ...options }) =>
      passGates(
        subject.kind === "rules"
          ? ruleCandidate(packageRoot, version)
          : policyCandidate(packageRoot, subject.set, version),
        options
      )
  })

const freezeNow = Effect.fnUntraced(function* (candidate: ReleaseCandidate) {
  const draft = yield* Effect.fromResult(candidate.draft).pipe(Effect.orDie)
  const releasedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  return yield* Effect.fromResult(
    Result.mapError(freeze(candidate, candidate.document(draft, releasedAt)), (reason) =>
      refuse(`nothing was released: ${reason}`)
    )
  )
})

/** Runs the gates in order and prints each result immediately. If all pass, freezes the candidate, unless it is a dry run. */
export const passGates = Effect.fnUntraced(function* (candidate: ReleaseCandidate, options: ReleaseOptions) {
  const { name, newest } = candidate
  const screen = currentTerminal()
  const print = (shown: ReadonlyArray<string>) => (options.json ? Effect.void : Console.log(shown.join("\n")))

  yield* print([`Release ${screen.color("bold", name)}${newest === null ? "" : ` after ${newest}`}`, ""])
  const gates: Array<Gate> = []
  const further = yield* callsAt(options.calls)
  for (const runGate of releaseGates(candidate, options.acceptLower, further)) {
    const gate = yield* Effect.promise(runGate)
    gates.push(gate)
    yield* print(renderGate(screen, gate))
  }
  const ok = gates.every(({ outcome }) => outcome === "passed")
  const frozen = ok && !options.dryRun ? yield* freezeNow(candidate) : null
  const report: ReleaseReport = { ok, name, from: newest, gates, frozen }
  yield* print(["", ...renderOutcome(screen, report)])
  if (options.json) {
    const document = documentOf(releaseShape, { ...report, dryRun: options.dryRun })
    yield* Console.log(JSON.stringify(document, null, 2))
  }
  if (!ok) return yield* new FindingsExit()
})

const marks: Readonly<Record<Gate["outcome"], readonly [sign: string, style: Style]>> = {
  passed: ["✔", "green"],
  failed: ["✘", "red"],
  "not run": ["·", "dim"]
}

/** The maximum number of findings shown per gate. `check` and `test` show all of them. */
const findingsMax = 5
const indent = "      "
const nameWidth = Math.max(...gateNames.map((name) => name.length))

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const secondsWidth = seconds(999_900).length

/** One gate: its mark, name and time, its sentence wrapped next to them, and its first findings. */
const renderGate = (screen: Terminal, { findings, ms, name, outcome, says }: Gate): ReadonlyArray<string> => {
  const [sign, style] = marks[outcome]
  const before = `  ${sign} ${name.padEnd(nameWidth)}  ${seconds(ms).padStart(secondsWidth)}  `
  const shown = `  ${screen.color(style, sign)} ${name.padEnd(nameWidth)}  ${screen.color("dim", seconds(ms).padStart(secondsWidth))}  `
  const [first = "", ...others] = wrap(
    outcome === "not run" ? `not run: ${says}` : says,
    screen.width - before.length
  )
  const more = findings.length - findingsMax
  return lines(
    `${shown}${first}`,
    others.map((line) => `${" ".repeat(before.length)}${line}`),
    findings
      .slice(0, findingsMax)
      .flatMap((finding) => findingLines({ ...screen, width: screen.width - indent.length }, finding))
      .map((line) => `${indent}${line}`),
    more > 0 && `${indent}${screen.color("dim", `and ${more} more`)}`
  )
}

/** The frozen file and the next step, or the reason why nothing was written. */
const renderOutcome = (screen: Terminal, { frozen, gates, ok }: ReleaseReport): ReadonlyArray<string> => {
  if (frozen !== null) {
    return [
      `${screen.color("green", "Frozen")} as ${frozen.file}, digest ${frozen.digest}.`,
      "Next: commit it together with the lock next to it and the changelog. It never changes from now on."
    ]
  }
  const failed = gates.filter(({ outcome }) => outcome === "failed").map(({ name }) => name)
  return [
    ok
      ? "Every gate is passed. Nothing was written: run it again without --dry-run."
      : `Nothing was written. Fix what ${failed.join(", ")} found and run it again.`
  ]
}
