/** Tries the mutants of a file that is data: the numbers, the lexicon, the catalogue of a policy set. */

import { Result } from "effect"
import { lints, type Read } from "../Finding.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Case } from "../cases/Case.ts"
import { prepareCase, tryCase } from "../cases/tryCase.ts"
import { locator } from "../files/locate.ts"
import { lexiconPart, type Root, type RuleFiles, type SourceFile } from "../files/readTree.ts"
import { preparePolicySet } from "../policies/PreparedPolicySet.ts"
import { prepareRelease } from "../release/loadRelease.ts"
import { type DataMutant, mutateData } from "./DataMutant.ts"
import type { MutableFile, Survivor } from "./MutationReport.ts"
import type { Scoring } from "./mutantScoring.ts"

/** What scores when the file has another content; fails where no reader takes that content. */
type ScoringWith = (json: unknown) => Read<Scoring>

/** A prime, so that only files with a multiple of it in mutants would be walked in circles. */
const stride = 7_919

/** All of them in an order in which any beginning is spread over the file; the same order for the same file. */
export const scattered = <T>(all: ReadonlyArray<T>): ReadonlyArray<T> => {
  const by = all.length % stride === 0 ? 1 : stride
  return all.map((one, i) => all[(i * by) % all.length] ?? one)
}

const fails = (one: Case, { model, policySet }: Scoring): boolean =>
  !tryCase(prepareCase(one, model, policySet), model, policySet).passed

const survivorOf = (
  { change, path }: DataMutant,
  { file }: SourceFile,
  code: string,
  locate: ReturnType<typeof locator>
): Survivor => {
  const rule = "surviving-mutant"
  const entry = path.map(String).join(".")
  return {
    rule,
    severity: lints[rule].severity,
    file,
    ...locate({ file, path }),
    message: `no case notices ${change} in \`${entry}\``,
    code,
    name: entry,
    change
  }
}

/**
 * Whether two contents mean the same is not decided, so none counts as equivalent. Each mutant is scored anew, with the history of
 * its cases, because both depend on numbers and words.
 */
const mutableFile = (
  root: Root,
  code: string,
  source: SourceFile,
  cases: ReadonlyArray<Case>,
  scoringWith: ScoringWith,
  mutantsMax: number
): MutableFile => {
  return {
    code,
    size: mutantsMax,
    *mutate() {
      // Not before: all files together have some three hundred thousand.
      const mutants = scattered(mutateData(source.json))
      const locate = locator(root)
      // The cases of the file come first. A case that killed a mutant often kills its neighbour, so it moves to the front.
      const isBeside = ({ of }: Case): boolean => of === code
      let killers = [...cases.filter(isBeside), ...cases.filter((one) => !isBeside(one))]
      const survivors: Array<Survivor> = []
      let killed = 0
      for (const mutant of mutants) {
        if (killed + survivors.length === mutantsMax) break
        const scoring = scoringWith(mutant.changed())
        if (Result.isFailure(scoring)) continue
        const killer = killers.find((one) => fails(one, scoring.success))
        if (killer === undefined) survivors.push(survivorOf(mutant, source, code, locate))
        else {
          killed += 1
          killers = [killer, ...killers.filter((one) => one !== killer)]
        }
        yield
      }
      const survived = survivors.length
      const counts = { total: killed + survived, killed, survived, equivalent: 0 }
      return { code, counts, survivors }
    }
  }
}

/** The ruleset and the files of the lexicon, by the parts that they are (`programs/git`). Only cases that hold without any change can kill. */
export const ruleDataFiles = (
  root: Root,
  { policies: { policySet }, release }: Rulebook,
  cases: ReadonlyArray<Case>,
  mutantsMax: number
): ReadonlyArray<MutableFile> => {
  const { files } = release
  const scoringOf = (changed: Partial<RuleFiles>): Read<Scoring> =>
    Result.map(prepareRelease({ ...files, ...changed }, release.model.digest), ({ model }) => ({
      model,
      policySet
    }))
  const ruleset = mutableFile(
    root,
    "ruleset",
    files.ruleset,
    cases,
    (json) => scoringOf({ ruleset: { ...files.ruleset, json } }),
    mutantsMax
  )
  const lexicon = files.lexicon.map((source, i) =>
    mutableFile(
      root,
      lexiconPart(source),
      source,
      cases,
      (json) => scoringOf({ lexicon: files.lexicon.with(i, { ...source, json }) }),
      mutantsMax
    )
  )
  return [ruleset, ...lexicon]
}

/** The catalogue of the policy set, if it has one. */
export const catalogueFiles = (
  root: Root,
  { policies: { files, policySet }, release: { model } }: Rulebook,
  cases: ReadonlyArray<Case>,
  mutantsMax: number
): ReadonlyArray<MutableFile> => {
  const { catalogue } = files
  if (catalogue === undefined) return []
  const scoringWith: ScoringWith = (json) => {
    const changed = preparePolicySet(policySet.name, { ...files, catalogue: { ...catalogue, json } })
    return changed.findings.length > 0
      ? Result.fail(changed.findings)
      : Result.succeed({ model, policySet: changed.policySet })
  }
  return [mutableFile(root, "catalogue", catalogue, cases, scoringWith, mutantsMax)]
}
