/** `rules mutate` and `policies mutate`: find small changes of the conditions that no case notices. */

import { Effect, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { dataMutantsMax, mutantsKilledPercentMin } from "../../limits.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import type { FileMutation, MutableFile, MutationReport } from "../../rules/mutation/MutationReport.ts"
import { type MutationRun, policyMutation, ruleMutation } from "../../rules/mutation/runMutants.ts"
import { flagOr, integerFlag } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../texts.ts"
import { bool, int, members, objects, optionalKey, string } from "../jsonShapes.ts"
import { findingFields, inFormat } from "./findings.ts"
import { workingRulebook } from "./rulebooks.ts"
import {
  type Noun,
  readOrRefuse,
  ruleFiles,
  scoringReleaseFlag,
  subjectArguments,
  unknownName
} from "./subject.ts"
import { verb, type NounHelp } from "../verb.ts"

const tally = {
  total: Schema.Int,
  killed: int("At least one case fails with the change."),
  survived: int("No case fails with the change."),
  equivalent: int("The change has the same meaning for every possible request; no case could fail.")
}

const percentSchema = int("Killed mutants among those that are not equivalent; rounded down.")

const mutateShape = members(
  {
    ok: bool("Whether percent reaches --min and every case holds without changes."),
    mutants: members(tally),
    percent: percentSchema,
    min: Schema.Int,
    failing: int("Cases that fail without any change, and so kill nothing."),
    byCode: Schema.Array(members({ code: Schema.String, ...tally, percent: percentSchema })),
    survivors: objects(null, {
      ...findingFields,
      code: string(
        "The factor's code, the typology's name, the policy rule's id, or the data file: programs/git."
      ),
      name: string("The changed rule's own name; in a data file, the place of the change."),
      change: Schema.String,
      killer: optionalKey(
        Schema.Struct({
          request: Schema.Record(Schema.String, Schema.Json).annotate({
            description: "As a case file spells it."
          }),
          history: Schema.optionalKey(Schema.Json),
          expect: Schema.Union([
            Schema.String,
            Schema.Struct({ level: Schema.String, score: Schema.Tuple([Schema.Int, Schema.Int]) })
          ])
        }),
        "A case that would fail with the change, ready to paste into the file."
      )
    })
  },
  { byCode: "codes" }
)

const percentMinFlag = flagOr(
  integerFlag("min", 0, 100).pipe(Flag.withMetavar("percent")),
  mutantsKilledPercentMin,
  `The percentage of mutants that the cases must detect (default: ${mutantsKilledPercentMin})`
)

const sampleFlag = flagOr(
  integerFlag("sample", 1, Number.MAX_SAFE_INTEGER).pipe(Flag.withMetavar("count")),
  dataMutantsMax,
  `Changes to try in each data file, evenly spread (default: ${dataMutantsMax})`
)

const help: Readonly<Record<Noun, NounHelp & { readonly codes: string }>> = {
  rules: {
    codes:
      "Only these factors and typologies, or data files: ruleset, or a file of the lexicon, such as programs/git, words/verbs or providers/github",
    about: "Make one small change to the working rules at a time, and show which changes no case notices",
    examples: {
      "": "All rules; exit code 1 below 95 %",
      "HIGH_ENTITY_COUNT --min 100 --json": "One factor, every mutant of it",
      "ruleset programs/git --sample 100 --min 0":
        "A hundred changes to the numbers, and to what git commands do"
    }
  },
  policies: {
    codes: "Only these rules; `catalogue` for the organization's knowledge of its tools",
    about:
      "Make one small change to the conditions of a policy set at a time, and show which changes no case notices",
    reads: "`RULES_VERSION`",
    examples: {
      starter: "All rules; exit code 1 below 95 %",
      "starter new-payees-are-called-back --min 100": "One rule, every mutant of it",
      "starter catalogue": "The entries of the catalogue"
    }
  }
}

/** Rules are always mutated in the working files, so only policy commands can name a release. */
const releaseFlags: Readonly<Record<Noun, { readonly rules?: typeof scoringReleaseFlag }>> = {
  rules: {},
  policies: { rules: scoringReleaseFlag }
}

export const mutateVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    fails: "fewer mutants are killed than `--min` says, or a case fails without any change",
    takes: {
      ...subjectArguments[noun],
      codes: Argument.String("codes").pipe(Argument.withDescription(help[noun].codes), Argument.variadic()),
      ...releaseFlags[noun],
      min: percentMinFlag,
      sample: sampleFlag
    },
    prints: mutateShape,
    run: Effect.fnUntraced(function* ({ codes, min, rules = null, sample, subject = ruleFiles }, command) {
      const rulebook = yield* readOrRefuse(yield* workingRulebook(subject, rules))
      const mutationOf = noun === "rules" ? ruleMutation : policyMutation
      const mutation = yield* readOrRefuse(mutationOf(packageRoot, rulebook, sample))
      const list = subject.kind === "rules" ? "rules list" : `policies show ${subject.set}`
      const files = yield* runMutants(yield* chosenFiles(mutation, codes, list))
      const report = mutation.report(files, min)
      return inFormat("pretty", {
        ok: report.ok,
        json: () => ({ ...report, min }),
        page: { command, scope: mutantsScope(report, min), findings: report.survivors }
      })
    })
  })

/** `codes`: empty for all files. `list`: the command that lists the codes. */
const chosenFiles = Effect.fnUntraced(function* (
  { data, rules }: MutationRun,
  codes: ReadonlyArray<string>,
  list: string
) {
  const all = [...rules, ...data]
  const known = all.map(({ code }) => code)
  const unknown = codes.find((code) => !known.includes(code))
  if (unknown !== undefined) return yield* unknownName("codes", unknown, known, list)
  return codes.length === 0 ? rules : all.filter(({ code }) => codes.includes(code))
})

const runMutants = (chosen: ReadonlyArray<MutableFile>) =>
  withProgress({ title: "mutate", unit: "mutants" }, (progress) => {
    const size = chosen.reduce((sum, file) => sum + file.size, 0)
    let count = 0
    return Effect.forEach(
      chosen,
      Effect.fnUntraced(function* ({ mutate }) {
        const steps = mutate()
        let step: IteratorResult<void, FileMutation> = steps.next()
        while (step.done !== true) {
          progress.at(++count, count / size)
          // One mutant blocks the process; signals are handled between two of them.
          yield* Effect.yieldNow
          step = steps.next()
        }
        return step.value
      })
    )
  })

const mutantsScope = ({ failing, mutants, percent }: MutationReport, min: number): string => {
  const same = mutants.equivalent === 0 ? "" : `, ${mutants.equivalent} of them equivalent`
  const broken = failing === 0 ? "" : `; ${counted(failing, "case fails", "cases fail")} without any change`
  return `${mutants.total} mutants${same}, ${percent} % killed${percent < min ? ` instead of ${min} %` : ""}${broken}`
}
