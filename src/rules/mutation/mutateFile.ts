/** Tries the mutants of a file that is data: the numbers, the lexicon, the catalogue of a policy set. */

import { Result } from "effect"
import { type Read, succeedUnless } from "../Finding.ts"
import type { Rulebook, Scoring } from "../Rulebook.ts"
import type { Case } from "../cases/Case.ts"
import { prepareCase, tryCase } from "../cases/tryCase.ts"
import { locator } from "../files/locate.ts"
import { lexiconPart, type Root, type RuleFiles, type SourceFile } from "../files/readTree.ts"
import { preparePolicySet } from "../policies/PreparedPolicySet.ts"
import { prepareRelease } from "../release/loadRelease.ts"
import { mutateData } from "./DataMutant.ts"
import { type MutableFile, type Survivor, survivorAt } from "./MutationReport.ts"

/** A file that is data. `scoringWith`: what scores when it has another content; fails where no reader takes that content. */
interface DataFile {
  readonly code: string
  readonly source: SourceFile
  readonly scoringWith: (json: unknown) => Read<Scoring>
}

/** A prime, so that only files with a multiple of it in mutants would be walked in circles. */
const stride = 7_919

/** All of them in an order in which any beginning is spread over the file; the same order for the same file. */
const scattered = <T>(all: ReadonlyArray<T>): ReadonlyArray<T> => {
  const by = all.length % stride === 0 ? 1 : stride
  return all.map((one, i) => all[(i * by) % all.length] ?? one)
}

const fails = (one: Case, { model, policySet }: Scoring): boolean =>
  !tryCase(prepareCase(one, model, policySet), model, policySet).passed

/**
 * Whether two contents mean the same is not decided, so none counts as equivalent. Each mutant is scored anew, with the history of
 * its cases, because both depend on numbers and words.
 */
export const mutableFile = (
  root: Root,
  { code, scoringWith, source }: DataFile,
  cases: ReadonlyArray<Case>,
  mutantsMax: number
): MutableFile => ({
  code,
  size: mutantsMax,
  *mutate() {
    // Not before: all files together have some three hundred thousand.
    const mutants = scattered(mutateData(source.json))
    const locate = locator(root)
    // The cases of the file come first. A case that killed a mutant often kills its neighbour, so it moves to the front.
    const isOwn = ({ of }: Case): boolean => of === code
    let killers = [...cases.filter(isOwn), ...cases.filter((one) => !isOwn(one))]
    const survivors: Array<Survivor> = []
    let killed = 0
    for (const mutant of mutants) {
      if (killed + survivors.length === mutantsMax) break
      const scoring = scoringWith(mutant.changed())
      if (Result.isFailure(scoring)) continue
      const killer = killers.find((one) => fails(one, scoring.success))
      if (killer === undefined) {
        const name = mutant.path.map(String).join(".")
        const message = `no case notices ${mutant.change} in \`${name}\``
        survivors.push(survivorAt(locate, { ...mutant, file: source.file }, message, { code, name }))
      } else {
        killed += 1
        killers = [killer, ...killers.filter((one) => one !== killer)]
      }
      yield
    }
    const survived = survivors.length
    return { code, counts: { total: killed + survived, killed, survived, equivalent: 0 }, survivors }
  }
})

/** The ruleset and the files of the lexicon, by the parts that they are (`programs/git`). */
export const ruleData = ({ policies: { policySet }, release }: Rulebook): ReadonlyArray<DataFile> => {
  const { files } = release
  const scoringOf = (changed: Partial<RuleFiles>): Read<Scoring> =>
    Result.map(prepareRelease({ ...files, ...changed }, release.model.digest), ({ model }) => ({
      model,
      policySet
    }))
  return [
    {
      code: "ruleset",
      source: files.ruleset,
      scoringWith: (json) => scoringOf({ ruleset: { ...files.ruleset, json } })
    },
    ...files.lexicon.map((source, i): DataFile => ({
      code: lexiconPart(source),
      source,
      scoringWith: (json) => scoringOf({ lexicon: files.lexicon.with(i, { ...source, json }) })
    }))
  ]
}

/** The catalogue of the policy set, if it has one. */
export const policyData = ({ policies, release: { model } }: Rulebook): ReadonlyArray<DataFile> => {
  const { files, policySet } = policies
  const { catalogue } = files
  if (catalogue === undefined) return []
  const scoringWith = (json: unknown): Read<Scoring> => {
    const changed = preparePolicySet(policySet.name, { ...files, catalogue: { ...catalogue, json } })
    return succeedUnless(changed.findings, () => ({ model, policySet: changed.policySet }))
  }
  return [{ code: "catalogue", source: catalogue, scoringWith }]
}
