/** The mutating commands: tries every mutant of some files with a progress bar, and ends with 1 where too many survive. */

import { Console, Effect } from "effect"
import { Argument } from "effect/cli"
import type { Ladder } from "../rules/ladders.ts"
import type { MutationReport } from "../rules/mutation/MutationReport.ts"
import type { MutationRun } from "../rules/mutation/runMutants.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import { Found } from "./Found.ts"
import { withProgress } from "./progress.ts"
import { mutantsScope } from "./render/mutants.ts"
import { renderFindings } from "./render/findings.ts"
import type { mutateShape } from "./shapes/rules/mutate.ts"
import { unknownName } from "./unknownName.ts"

export const codes = (description: string) =>
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

const chosen = Effect.fnUntraced(function* (all: ReadonlyArray<Ladder>, { codes, command, list }: Options) {
  const known = all.map(({ code }) => code)
  const unknown = codes.find((code) => !known.includes(code))
  if (unknown !== undefined) {
    return yield* unknownName({ command, argument: "codes", written: unknown, known, list })
  }
  return codes.length === 0 ? all : all.filter(({ code }) => codes.includes(code))
})

const run = ({ ladders, mutate, report }: MutationRun, min: number) =>
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

export const mutateJson = (
  { byCode, ...report }: MutationReport,
  min: number
): typeof mutateShape.Encoded => ({ ...report, min, codes: byCode })

export const mutateFiles = Effect.fn("cli.mutateFiles")(function* (mutation: MutationRun, options: Options) {
  const ladders = yield* chosen(mutation.ladders, options)
  const report = yield* run({ ...mutation, ladders }, options.min)
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
  if (!report.ok) return yield* new Found()
})
