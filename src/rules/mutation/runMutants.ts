/** Changes every rule by one small thing at a time, and tells which changes no case would notice. */

import { Result } from "effect"
import { calibration, readPolicySuite, readRuleSuite } from "../cases/readSuite.ts"
import type { CaseFile } from "../cases/Case.ts"
import { type Ladder, policyLadders, ruleLadders } from "../ladders.ts"
import { locator } from "../locate.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"
import type { Rulebook } from "../Rulebook.ts"
import { meansTheSame } from "./difference.ts"
import { findKiller, readyKillers } from "./Killers.ts"
import type { MutationReport, Survivor, Tally } from "./MutationReport.ts"
import { mutateLadder } from "./mutateLadder.ts"
import { survivorOf } from "./survivorOf.ts"
import type { Scoring } from "./scoringWith.ts"

interface OneFile {
  readonly code: string
  readonly tally: Tally
  readonly survivors: ReadonlyArray<Survivor>
}

export interface MutationRun {
  readonly ladders: ReadonlyArray<Ladder>
  /** Tries all mutants of one file. */
  readonly mutate: (ladder: Ladder) => OneFile
  readonly report: (files: ReadonlyArray<OneFile>, percentMin: number) => MutationReport
}

/** `codes`: the files to mutate; all of them where none is named. */
export const ruleMutation = (root: Root, rulebook: Rulebook): Read<MutationRun> =>
  Result.map(readRuleSuite(root), (suite) => prepare(root, rulebook, suite, ruleLadders(rulebook.release)))

export const policyMutation = (root: Root, rulebook: Rulebook): Read<MutationRun> =>
  Result.map(readPolicySuite(root, rulebook.policies.policySet.name), (suite) =>
    prepare(root, rulebook, suite, policyLadders(rulebook.policies))
  )

const prepare = (
  root: Root,
  { policies, release }: Rulebook,
  suite: ReadonlyArray<CaseFile>,
  ladders: ReadonlyArray<Ladder>
): MutationRun => {
  const scoring: Scoring = { model: release.model, policySet: policies.policySet }
  const locate = locator(root)
  const { failing, killers } = readyKillers(
    suite.flatMap(({ cases }) => cases),
    scoring
  )
  const byFile = Map.groupBy(killers, ({ one }) => one.of)
  const common = byFile.get(calibration) ?? []
  return {
    ladders,
    mutate: (ladder) => {
      const concerned = [...(byFile.get(ladder.code) ?? []), ...common]
      const mutants = mutateLadder(ladder)
      const left = mutants.filter((mutant) => findKiller(mutant, concerned, scoring) === undefined)
      const judged = left.map((mutant) => ({
        mutant,
        same: meansTheSame(mutant.original, mutant.changed, release.model.numbers)
      }))
      const survivors = judged.filter(({ same }) => same.is !== "yes")
      return {
        code: ladder.code,
        tally: {
          total: mutants.length,
          killed: mutants.length - left.length,
          survived: survivors.length,
          equivalent: left.length - survivors.length
        },
        survivors: survivors.map(({ mutant, same }) => survivorOf(mutant, same, scoring, locate))
      }
    },
    report: (files, percentMin) => reportOf(files, failing, percentMin)
  }
}

const percentOf = ({ killed, survived }: Tally): number =>
  killed + survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived))

const reportOf = (files: ReadonlyArray<OneFile>, failing: number, percentMin: number): MutationReport => {
  const sum = (key: keyof Tally) => files.reduce((total, { tally }) => total + tally[key], 0)
  const mutants = {
    total: sum("total"),
    killed: sum("killed"),
    survived: sum("survived"),
    equivalent: sum("equivalent")
  }
  const percent = percentOf(mutants)
  return {
    ok: percent >= percentMin && failing === 0,
    mutants,
    percent,
    byCode: files.map(({ code, tally }) => ({ code, ...tally, percent: percentOf(tally) })),
    survivors: files.flatMap(({ survivors }) => survivors),
    failing
  }
}
