/** `rules release` and `policies release`: takes the working files through every gate and freezes them for good. */

import { Clock, Console, Effect, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { packageRoot } from "../../rules/files/readTree.ts"
import { SemVer } from "../../rules/files/vocabulary.ts"
import { policyCandidate, type ReleaseCandidate, ruleCandidate } from "../../rules/release/Candidate.ts"
import { freeze } from "../../rules/release/frozen.ts"
import { type Gate, gateNames, releaseGates, type ReleaseReport } from "../../rules/release/releaseGates.ts"
import { type Style, terminal, type Terminal, wrap } from "../Terminal.ts"
import { CommandRefused, FindingsExit } from "../commandFailures.ts"
import { jsonFlag } from "../flags.ts"
import { findingLines, findingSchema } from "./findings.ts"
import { type Noun, ruleFiles, subjectArguments, type VerbHelp } from "./subject.ts"

const gateSchema = Schema.Struct({
  gate: Schema.Literals(gateNames),
  outcome: Schema.Literals(["passed", "failed", "not run"]).annotate({
    description: "`not run`: the files cannot be read, which another gate tells."
  }),
  ms: Schema.Int,
  says: Schema.String.annotate({ description: "What it looked at, for people." }),
  findings: Schema.Array(findingSchema)
})

export const releaseSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Every gate is passed." }),
  release: Schema.String.annotate({ description: "`1.1.0`, or of a policy set `starter@1.1.0`." }),
  from: Schema.NullOr(Schema.String).annotate({
    description: "The newest version before; null for a first release."
  }),
  dry_run: Schema.Boolean,
  gates: Schema.Array(gateSchema).annotate({ description: "In the order in which they are passed." }),
  frozen: Schema.NullOr(
    Schema.Struct({
      file: Schema.String,
      digest: Schema.String.annotate({ description: "SHA-256, hex." }),
      released_at: Schema.String
    })
  ).annotate({ description: "What was written; null where a gate failed and in a dry run." })
})

const releaseJson = (report: ReleaseReport, dryRun: boolean): typeof releaseSchema.Type => ({
  ok: report.ok,
  release: report.name,
  from: report.from,
  dry_run: dryRun,
  gates: report.gates.map(({ name, ...gate }) => ({ gate: name, ...gate })),
  frozen:
    report.frozen === null
      ? null
      : {
          file: report.frozen.file,
          digest: report.frozen.digest,
          released_at: report.frozen.releasedAt
        }
})

/** `--accept-lower <code>`, once for each: what may score lower than before, with a reason in the changelog. */
const acceptLowerFlag = Flag.String("accept-lower").pipe(
  Flag.withDescription("A code that may score lower than before, once for each; the changelog says why"),
  Flag.withMetavar("code"),
  Flag.atLeast(0)
)

/** `--dry-run`: everything but the writing. */
const dryRunFlag = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Pass the gates and write nothing"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

/** `<version>` of a release that is about to be made. */
const newVersionArgument = Argument.String("version").pipe(
  Argument.withDescription("The version to release; the files state it already"),
  Argument.withSchema(SemVer)
)

const help: Readonly<Record<Noun, VerbHelp>> = {
  rules: {
    description:
      "Check, test and prove the working rules, and freeze them as a release that never changes again",
    examples: [
      { command: "action-risk rules release 1.1.0 --dry-run", description: "What the gates say" },
      {
        command: "action-risk rules release 1.1.0 --accept-lower HIGH_RECORD_COUNT",
        description: "Although that factor may score lower than before; the changelog says why"
      }
    ]
  },
  policies: {
    description: "Check, test and prove a policy set, and freeze it as a version that never changes again",
    examples: [
      { command: "action-risk policies release starter 1.1.0 --dry-run", description: "What the gates say" },
      { command: "action-risk policies release starter 1.1.0 --json", description: "For scripts" }
    ]
  }
}

export const releaseCommand = (noun: Noun) =>
  Command.make(
    "release",
    {
      ...subjectArguments[noun],
      version: newVersionArgument,
      acceptLower: acceptLowerFlag,
      dryRun: dryRunFlag,
      json: jsonFlag
    },
    ({ subject = ruleFiles, version, ...options }) =>
      passGates(
        subject.kind === "rules"
          ? ruleCandidate(packageRoot, version)
          : policyCandidate(packageRoot, subject.set, version),
        options
      )
  ).pipe(Command.withDescription(help[noun].description), Command.withExamples(help[noun].examples))

interface ReleaseOptions {
  readonly acceptLower: ReadonlyArray<string>
  readonly dryRun: boolean
  readonly json: boolean
}

const freezeNow = Effect.fnUntraced(function* (candidate: ReleaseCandidate) {
  const draft = yield* Effect.fromResult(candidate.draft).pipe(Effect.orDie)
  const releasedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  return yield* Effect.fromResult(
    Result.mapError(
      freeze(candidate, candidate.document(draft, releasedAt)),
      (reason) => new CommandRefused({ message: `nothing was released: ${reason}` })
    )
  )
})

/** Runs the gates in their order, prints each result at once, and freezes the candidate after the last gate. */
export const passGates = Effect.fn("passGates")(function* (
  candidate: ReleaseCandidate,
  options: ReleaseOptions
) {
  const { name, newest } = candidate
  const sheet = terminal()
  const tell = (lines: ReadonlyArray<string>) => (options.json ? Effect.void : Console.log(lines.join("\n")))

  yield* tell([`Release ${sheet.color("bold", name)}${newest === null ? "" : ` after ${newest}`}`, ""])
  const gates: Array<Gate> = []
  for (const ask of releaseGates(candidate, options.acceptLower)) {
    const gate = yield* Effect.promise(ask)
    gates.push(gate)
    yield* tell(renderGate(sheet, gate))
  }
  const ok = gates.every(({ outcome }) => outcome === "passed")
  const frozen = ok && !options.dryRun ? yield* freezeNow(candidate) : null
  const report: ReleaseReport = { ok, name, from: newest, gates, frozen }
  yield* tell(["", ...renderOutcome(sheet, report)])
  if (options.json) yield* Console.log(JSON.stringify(releaseJson(report, options.dryRun), null, 2))
  if (!ok) return yield* new FindingsExit()
})

/** A release as people see it: each gate as a step that is passed or not, then what to do next. */
const marks: Readonly<Record<Gate["outcome"], readonly [sign: string, style: Style]>> = {
  passed: ["✔", "green"],
  failed: ["✘", "red"],
  "not run": ["·", "dim"]
}

/** Findings of one gate that are shown; `check` and `test` show them all. */
const findingsMax = 5
const indent = "      "
const nameWidth = Math.max(...gateNames.map((name) => name.length))

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const secondsWidth = seconds(999_900).length

/** What the gate says, wrapped beside its name, and what was found. */
const renderGate = (sheet: Terminal, { findings, ms, name, outcome, says }: Gate): ReadonlyArray<string> => {
  const [sign, style] = marks[outcome]
  const before = `  ${sign} ${name.padEnd(nameWidth)}  ${seconds(ms).padStart(secondsWidth)}  `
  const shown = `  ${sheet.color(style, sign)} ${name.padEnd(nameWidth)}  ${sheet.color("dim", seconds(ms).padStart(secondsWidth))}  `
  const [first = "", ...others] = wrap(
    outcome === "not run" ? `not run: ${says}` : says,
    sheet.width - before.length
  )
  const more = findings.length - findingsMax
  return [
    `${shown}${first}`,
    ...others.map((line) => `${" ".repeat(before.length)}${line}`),
    ...findings
      .slice(0, findingsMax)
      .flatMap((finding) => findingLines({ ...sheet, width: sheet.width - indent.length }, finding))
      .map((line) => `${indent}${line}`),
    ...(more > 0 ? [`${indent}${sheet.color("dim", `and ${more} more`)}`] : [])
  ]
}

/** What was written, or why nothing was. */
const renderOutcome = (sheet: Terminal, { frozen, gates, ok }: ReleaseReport): ReadonlyArray<string> => {
  if (frozen !== null) {
    return [
      `${sheet.color("green", "Frozen")} as ${frozen.file}, digest ${frozen.digest}.`,
      "Next: commit it together with the lock beside it and the changelog. It never changes from now on."
    ]
  }
  const failed = gates.filter(({ outcome }) => outcome === "failed").map(({ name }) => name)
  return [
    ok
      ? "Every gate is passed. Nothing was written: run it again without --dry-run."
      : `Nothing was written. Mend what ${failed.join(", ")} found and run it again.`
  ]
}
