/** Tries every mutant of every rule file, and reports which ones no case kills. */

import { Result } from "effect"
import type { Facts } from "../../scoring/Facts.ts"
import type { Read } from "../Finding.ts"
import {
  policyRuleGroups,
  releaseRuleGroups,
  type Rulebook,
  type RuleGroup,
  type Scoring,
  scoringWithGroup
} from "../Rulebook.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { calibration, type Case, type CaseFile, readPolicySuite, readRuleSuite } from "../cases/Case.ts"
import { prepareCase, type PreparedCase, tryCase } from "../cases/tryCase.ts"
import { locator } from "../files/locate.ts"
import type { Root } from "../files/readTree.ts"
import { type Mutant, mutateRuleGroup } from "./Mutant.ts"
import {
  type FileMutation,
  type MutableFile,
  type MutantCounts,
  type MutationReport,
  type Survivor,
  survivorOf
} from "./MutationReport.ts"
import { mutableFile, policyData, ruleData } from "./mutateFile.ts"
import { findDifference, strongestMatch } from "./mutantScoring.ts"

export interface MutationRun {
  /** The rule files, which are tried if no file is named. */
  readonly rules: ReadonlyArray<MutableFile>
  /** The data files. */
  readonly data: ReadonlyArray<MutableFile>
  readonly report: (files: ReadonlyArray<FileMutation>, percentMin: number) => MutationReport
}

/** `mutantsMax`: how many mutants of each data file are tried. */
export const ruleMutation = (root: Root, rulebook: Rulebook, mutantsMax: number): Read<MutationRun> =>
  Result.map(readRuleSuite(root), (suite) =>
    prepare(root, rulebook, suite, releaseRuleGroups(rulebook.release), ruleData(rulebook), mutantsMax)
  )

export const policyMutation = (root: Root, rulebook: Rulebook, mutantsMax: number): Read<MutationRun> =>
  Result.map(readPolicySuite(root, rulebook.policies.policySet.name), (suite) =>
    prepare(root, rulebook, suite, policyRuleGroups(rulebook.policies), policyData(rulebook), mutantsMax)
  )

const prepare = (
  root: Root,
  { policies, release }: Rulebook,
  suite: ReadonlyArray<CaseFile>,
  groups: ReadonlyArray<RuleGroup>,
  data: ReturnType<typeof ruleData>,
  mutantsMax: number
): MutationRun => {
  const scoring: Scoring = { model: release.model, policySet: policies.policySet }
  const locate = locator(root)
  const possible = possibleFacts(release.model.numbers)
  const { failing, killers } = prepareKillers(
    suite.flatMap(({ cases }) => cases),
    scoring
  )
  const byFile = Map.groupBy(killers, ({ one }) => one.of)
  const calibrationCases = byFile.get(calibration) ?? []
  const holding = killers.map(({ one }) => one)
  return {
    rules: groups.map((group) => {
      const mutants = mutateRuleGroup(group)
      return {
        code: group.code,
        size: mutants.length,
        *mutate() {
          const candidates = [...(byFile.get(group.code) ?? []), ...calibrationCases]
          const survivors: Array<Survivor> = []
          let [killed, same] = [0, 0]
          for (const mutant of mutants) {
            if (findKiller(mutant, candidates, scoring) !== undefined) killed += 1
            else {
              const differing = findDifference(mutant.original, mutant.changed, possible)
              if (differing === "none") same += 1
              else survivors.push(survivorOf(mutant, differing, scoring, possible, locate))
            }
            yield
          }
          const survived = survivors.length
          const counts = { total: mutants.length, killed, survived, equivalent: same }
          return { code: group.code, counts, survivors }
        }
      }
    }),
    data: data.map((file) => mutableFile(root, file, holding, mutantsMax)),
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
  const sum = (key: keyof MutantCounts) => files.reduce((total, { counts }) => total + counts[key], 0)
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
    byCode: files.map(({ code, counts }) => ({ code, ...counts, percent: percentOf(counts) })),
    survivors: files.flatMap(({ survivors }) => survivors),
    failing
  }
}

/** A case that can kill mutants, scored once without any change. */
interface KillerCase extends PreparedCase {
  /** Every facts record that the unchanged score matches. */
  readonly matchedFacts: ReadonlyArray<Facts>
}

/** The cases that pass without any change, and how many fail: those cannot kill a mutant. */
export const prepareKillers = (cases: ReadonlyArray<Case>, { model, policySet }: Scoring) => {
  const tried = cases.map((one) => {
    const case_ = prepareCase(one, model, policySet)
    const { passed, traces } = tryCase(case_, model, policySet)
    return { ...case_, passed, matchedFacts: traces.flatMap(({ asked }) => asked) }
  })
  const killers: ReadonlyArray<KillerCase> = tried.filter(({ passed }) => passed)
  return { killers, failing: tried.length - killers.length }
}

/**
 * Whether the case can fail with the mutant. Invariant: a score is a function of its matches. If the mutant matches every facts record of
 * the case like the file does, the score is the same and the case need not be scored again.
 */
const canDistinguish = ({ matchedFacts }: KillerCase, { changed, original }: Mutant): boolean =>
  matchedFacts.some((facts) => strongestMatch(changed, facts) !== strongestMatch(original, facts))

/** The first case that fails with the mutant. */
export const findKiller = (
  mutant: Mutant,
  killers: ReadonlyArray<KillerCase>,
  scoring: Scoring
): KillerCase | undefined => {
  const { model, policySet } = scoringWithGroup(scoring, mutant.changed)
  return killers.find((killer) => canDistinguish(killer, mutant) && !tryCase(killer, model, policySet).passed)
}
