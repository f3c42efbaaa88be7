/** `rules mutate` and `policies mutate`: which small changes of the conditions would no case notice? */

import { Console, Effect, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { mutantsKilledPercentMin } from "../../limits.ts"
import type { RuleGroup } from "../../rules/Rulebook.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import type { MutationReport } from "../../rules/mutation/MutationReport.ts"
import { type MutationRun, policyMutation, ruleMutation } from "../../rules/mutation/runMutants.ts"
import { FindingsExit } from "../commandFailures.ts"
import { jsonFlag } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { findingSchema, renderFindings } from "./findings.ts"
import {
  policySetArgument,
  readOrRefuse,
  rulebook,
  rulesFlag,
  unknownName,
  workingPolicies
} from "./rulebooks.ts"

const tally = {
  total: Schema.Int,
  killed: Schema.Int.annotate({ description: "Some case fails with the change." }),
  survived: Schema.Int.annotate({ description: "No case does." }),
  equivalent: Schema.Int.annotate({
    description: "The change means the same for everything that can be asked; no case could fail."
  })
}

const percentSchema = Schema.Int.annotate({
  description: "Killed, of those that are not equivalent; rounded down."
})

export const mutateSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({
    description: "Whether percent reaches --min, and every case holds unchanged."
  }),
  mutants: Schema.Struct(tally),
  percent: percentSchema,
  min: Schema.Int,
  failing: Schema.Int.annotate({ description: "Cases that fail without any change, and so kill nothing." }),
  codes: Schema.Array(Schema.Struct({ code: Schema.String, ...tally, percent: percentSchema })),
  survivors: Schema.Array(
    Schema.Struct({
      ...findingSchema.fields,
      code: Schema.String.annotate({
        description: "The factor's code, the typology's name, or the policy rule's id."
      }),
      name: Schema.String.annotate({ description: "The changed rule's own name." }),
      change: Schema.String,
      killer: Schema.optionalKey(
        Schema.Struct({
          request: Schema.Record(Schema.String, Schema.Json).annotate({
            description: "As a case file spells it."
          }),
          history: Schema.optionalKey(Schema.Json),
          expect: Schema.Union([
            Schema.String,
            Schema.Struct({ level: Schema.String, score: Schema.Tuple([Schema.Int, Schema.Int]) })
          ])
        })
      ).annotate({ description: "A case that would fail with the change, ready to be put into the file." })
    })
  )
})

/** `--min <percent>`: from where on enough mutants are killed. */
const percentMinFlag = Flag.Int("min").pipe(
  Flag.withDescription(
    `How many percent of the mutants the cases must kill; else ${mutantsKilledPercentMin}`
  ),
  Flag.withMetavar("percent"),
  Flag.mapEffect((percent) =>
    percent >= 0 && percent <= 100
      ? Effect.succeed(percent)
      : Effect.fail(
          new CliError.InvalidValue({
            option: "min",
            value: String(percent),
            expected: "a whole number from 0 to 100",
            kind: "flag"
          })
        )
  ),
  Flag.withDefault(mutantsKilledPercentMin)
)

/** The mutating commands: tries every mutant of some files with a progress bar, and ends with 1 where too many survive. */
const codesArgument = (description: string) =>
  Argument.String("codes").pipe(Argument.withDescription(description), Argument.variadic())

interface Options {
  /** The command's words below the root, and of the one that lists the codes. */
  readonly command: string
  readonly list: string
  /** All files where none is named. */
  readonly codes: ReadonlyArray<string>
  readonly min: number
  readonly json: boolean
}

const chosenFiles = Effect.fnUntraced(function* (
  all: ReadonlyArray<RuleGroup>,
  { codes, command, list }: Options
) {
  const known = all.map(({ code }) => code)
  const unknown = codes.find((code) => !known.includes(code))
  if (unknown !== undefined) {
    return yield* unknownName({ command, argument: "codes", written: unknown, known, list })
  }
  return codes.length === 0 ? all : all.filter(({ code }) => codes.includes(code))
})

const runMutants = ({ groups: ladders, mutate, report }: MutationRun, min: number) =>
  withProgress({ title: "mutate", unit: "files" }, (progress) =>
    Effect.map(
      Effect.forEach(ladders, (ladder, i) =>
        Effect.suspend(() => {
          progress.at(i, i / ladders.length)
          const tried = mutate(ladder)
          // Between two files the process looks at its signals.
          return Effect.as(Effect.yieldNow, tried)
        })
      ),
      (files) => report(files, min)
    )
  )

const mutateJson = ({ byCode, ...report }: MutationReport, min: number): typeof mutateSchema.Encoded => ({
  ...report,
  min,
  codes: byCode
})

const mutateFiles = Effect.fn("cli.mutateFiles")(function* (mutation: MutationRun, options: Options) {
  const ladders = yield* chosenFiles(mutation.groups, options)
  const report = yield* runMutants({ ...mutation, groups: ladders }, options.min)
  const page = {
    command: options.command,
    scope: mutantsScope(report, options.min),
    findings: report.survivors
  }
  yield* Console.log(
    options.json
      ? JSON.stringify(mutateJson(report, options.min), null, 2)
      : renderFindings("pretty", page, packageRoot)
  )
  if (!report.ok) return yield* new FindingsExit()
})

/** `action-risk rules mutate`: which small changes of the rules would no case notice? */
export const mutateRules = Command.make(
  "mutate",
  { codes: codesArgument("Only these factors and typologies"), min: percentMinFlag, json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const mutation = yield* readOrRefuse(ruleMutation(packageRoot, yield* rulebook("draft")))
    yield* mutateFiles(mutation, { command: "rules mutate", list: "rules list", ...options })
  })
).pipe(
  Command.withDescription(
    "Change every working rule by one small thing at a time, and tell which changes no case notices"
  ),
  Command.withExamples([
    { command: "action-risk rules mutate", description: "All rules; exit code 1 below 95 %" },
    {
      command: "action-risk rules mutate HIGH_ENTITY_COUNT --min 100 --json",
      description: "One factor, every mutant of it"
    }
  ])
)

/** `action-risk policies mutate <set>`: which small changes of a policy set's conditions would no case notice? */
const scoringRelease = rulesFlag("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

export const mutatePolicies = Command.make(
  "mutate",
  {
    set: policySetArgument,
    codes: codesArgument("Only these rules"),
    rules: scoringRelease,
    min: percentMinFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (options) {
    const book = yield* workingPolicies(options.set, options.rules)
    const mutation = yield* readOrRefuse(policyMutation(packageRoot, book))
    yield* mutateFiles(mutation, {
      command: "policies mutate",
      list: `policies show ${options.set}`,
      ...options
    })
  })
).pipe(
  Command.withDescription(
    "Change the conditions of a policy set by one small thing at a time, and tell which changes no case notices"
  ),
  Command.withExamples([
    { command: "action-risk policies mutate starter", description: "All rules; exit code 1 below 95 %" },
    {
      command: "action-risk policies mutate starter new-payees-are-called-back --min 100",
      description: "One rule, every mutant of it"
    }
  ])
)

/** What became of the mutants, in one line. */
const mutantsScope = ({ failing, mutants, percent }: MutationReport, min: number): string => {
  const same = mutants.equivalent === 0 ? "" : `, ${mutants.equivalent} of them without any meaning`
  const broken =
    failing === 0 ? "" : `; ${failing} ${failing === 1 ? "case fails" : "cases fail"} without any change`
  return `${mutants.total} mutants${same}, ${percent} % killed${percent < min ? ` instead of ${min} %` : ""}${broken}`
}
