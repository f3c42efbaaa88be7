/** Applies every mutant of every rule file, and reports which mutants no case kills. */

import { Result } from "effect"
import type { Facts } from "../../scoring/Facts.ts"
import type { Read } from "../Finding.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import { calibration, type Case, type CaseFile, readPolicySuite, readRuleSuite } from "../cases/Case.ts"
import { prepareCase, type PreparedCase, tryCase } from "../cases/tryCase.ts"
import { locator } from "../files/locate.ts"
import type { Root } from "../files/readTree.ts"
import { type Mutant, mutateRuleGroup } from "./Mutant.ts"
import { type MutantCounts, type MutationReport, type Survivor, survivorOf } from "./MutationReport.ts"
import { areEquivalent, type Scoring, scoringWithGroup, strongestMatch } from "./mutantScoring.ts"

interface FileMutation {
  readonly code: string
  readonly tally: MutantCounts
  readonly survivors: ReadonlyArray<Survivor>
}

export interface MutationRun {
  readonly groups: ReadonlyArray<RuleGroup>
  /** Tries all mutants of one file. */
  readonly mutate: (ladder: RuleGroup) => FileMutation
  readonly report: (files: ReadonlyArray<FileMutation>, percentMin: number) => MutationReport
}

/** `codes`: the files to mutate; all of them where none is named. */
export const ruleMutation = (root: Root, rulebook: Rulebook): Read<MutationRun> =>
  Result.map(readRuleSuite(root), (suite) =>
    prepare(root, rulebook, suite, releaseRuleGroups(rulebook.release))
  )

export const policyMutation = (root: Root, rulebook: Rulebook): Read<MutationRun> =>
  Result.map(readPolicySuite(root, rulebook.policies.policySet.name), (suite) =>
    prepare(root, rulebook, suite, policyRuleGroups(rulebook.policies))
  )

const prepare = (
  root: Root,
  { policies, release }: Rulebook,
  suite: ReadonlyArray<CaseFile>,
  ladders: ReadonlyArray<RuleGroup>
): MutationRun => {
  const scoring: Scoring = { model: release.model, policySet: policies.policySet }
  const locate = locator(root)
  const { failing, killers } = prepareKillers(
    suite.flatMap(({ cases }) => cases),
    scoring
  )
  const byFile = Map.groupBy(killers, ({ one }) => one.of)
  const common = byFile.get(calibration) ?? []
  return {
    groups: ladders,
    mutate: (ladder) => {
      const concerned = [...(byFile.get(ladder.code) ?? []), ...common]
      const mutants = mutateRuleGroup(ladder)
      const left = mutants.filter((mutant) => findKiller(mutant, concerned, scoring) === undefined)
      const judged = left.map((mutant) => ({
        mutant,
        same: areEquivalent(mutant.original, mutant.changed, release.model.numbers)
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

const percentOf = ({ killed, survived }: MutantCounts): number =>
  killed + survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived))

const reportOf = (
  files: ReadonlyArray<FileMutation>,
  failing: number,
  percentMin: number
): MutationReport => {
  const sum = (key: keyof MutantCounts) => files.reduce((total, { tally }) => total + tally[key], 0)
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

/** The cases that can kill a mutant, each heard once without any change. */
interface KillerCase extends PreparedCase {
  /** Everything that the score asks the rules on the way to its opinion, without any change. */
  readonly asked: ReadonlyArray<Facts>
}

interface KillerCases {
  readonly killers: ReadonlyArray<KillerCase>
  /** Cases that fail without any change and so can tell nothing. */
  readonly failing: number
}

export const prepareKillers = (cases: ReadonlyArray<Case>, { model, policySet }: Scoring): KillerCases => {
  const tried = cases.map((one) => {
    const case_ = prepareCase(one, model)
    const { traces, passed } = tryCase(case_, model, policySet)
    return { ...case_, passed, asked: traces.flatMap(({ asked }) => asked) }
  })
  const killers = tried.filter(({ passed }) => passed)
  return { killers, failing: tried.length - killers.length }
}

/**
 * Invariant: a score is a function of the answers to its questions. Where a mutant answers every question of a case as the
 * file does, the score is the same, and the case need not be heard again.
 */
const canDistinguish = ({ asked }: KillerCase, { changed, original }: Mutant): boolean =>
  asked.some((facts) => strongestMatch(changed, facts) !== strongestMatch(original, facts))

/** The first of the cases that fails with the change. */
export const findKiller = (
  mutant: Mutant,
  killers: ReadonlyArray<KillerCase>,
  scoring: Scoring
): KillerCase | undefined => {
  const { model, policySet } = scoringWithGroup(scoring, mutant.changed)
  return killers.find((killer) => canDistinguish(killer, mutant) && !tryCase(killer, model, policySet).passed)
}
