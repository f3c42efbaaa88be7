/** Situations that read like life: the shipped cases, the calibration and the examples, shortest first. */

import { Result, Schema } from "effect"
import { join } from "node:path"
import { type Case, readPolicySuite, readRuleSuite } from "../cases/Case.ts"
import type { Situation } from "../cases/Situation.ts"
import { RequestFile } from "../files/caseFiles.ts"
import { entriesOf, readSource, type Root } from "../files/readTree.ts"
import { listPolicySets } from "../policies/loadPolicySet.ts"

const decodeRequest = Schema.decodeUnknownResult(RequestFile)

/** What a case supposes to have failed nobody can ask for, so such cases show nothing. */
const situationsOf = (one: Case): ReadonlyArray<Situation> => {
  if (one.kind === "ordering") return [one.higher, one.lower]
  return one.fault === undefined ? [one.situation] : []
}

/** Beside the scored fields an example has others, which do not score. */
const readExamples = (root: Root): ReadonlyArray<Situation> => {
  const folder = join(root, "examples", "requests")
  return entriesOf(folder).flatMap(({ name }) =>
    Result.match(
      Result.flatMap(readSource(root, join(folder, name)), ({ json }) => decodeRequest(json)),
      { onFailure: () => [], onSuccess: (request) => [{ request }] }
    )
  )
}

/** A folder of cases that cannot be read is left out: what is wrong with it is for `check` to say. */
export const readSampleSituations = (root: Root): ReadonlyArray<Situation> => {
  const suites = [readRuleSuite(root), ...listPolicySets(root).map((set) => readPolicySuite(root, set))]
  const cases = suites.flatMap((suite) =>
    Result.match(suite, {
      onFailure: () => [],
      onSuccess: (files) => files.flatMap((file) => file.cases.flatMap(situationsOf))
    })
  )
  return [...cases, ...readExamples(root)]
    .map((situation) => ({ situation, length: JSON.stringify(situation).length }))
    .toSorted((a, b) => a.length - b.length)
    .map(({ situation }) => situation)
}
