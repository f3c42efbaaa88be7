/** Realistic situations: the shipped cases, the calibration, the examples and the labelled calls, shortest first. */

import { Result, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Case, readPolicySuite, readRuleSuite } from "../cases/Case.ts"
import type { Situation } from "../cases/Situation.ts"
import { RequestFile } from "../files/caseFiles.ts"
import { entriesOf, readSource, type Root } from "../files/readTree.ts"
import { listPolicySets } from "../policies/loadPolicySet.ts"

const decodeRequest = Schema.decodeUnknownResult(RequestFile)
const decodeLabelled = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ request: RequestFile }))
)

/** Cases with a fault are left out: no request can cause a fault, so they cannot be witnesses. */
const situationsOf = (sample: Case): ReadonlyArray<Situation> => {
  if (sample.kind === "ordering") return [sample.higher, sample.lower]
  return sample.fault === undefined ? [sample.situation] : []
}

/** An example also has fields that do not score. They are dropped. */
const readExamples = (root: Root): ReadonlyArray<Situation> => {
  const folder = join(root, "examples", "requests")
  return entriesOf(folder).flatMap(({ name }) =>
    Result.match(
      Result.flatMap(readSource(root, join(folder, name)), ({ json }) => decodeRequest(json)),
      { onFailure: () => [], onSuccess: (request) => [{ request }] }
    )
  )
}

/** The requests of the labelled calls. A line that cannot be read is left out, as is a file that is not there. */
const readLabelled = (root: Root): ReadonlyArray<Situation> => {
  const path = join(root, "examples", "labels", "calls.ndjson")
  if (!existsSync(path)) return []
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) =>
      Result.match(decodeLabelled(line), { onFailure: () => [], onSuccess: ({ request }) => [{ request }] })
    )
}

/** Leaves out a folder of cases that cannot be read: `rules check` reports it. */
export const readSampleSituations = (root: Root): ReadonlyArray<Situation> => {
  const suites = [readRuleSuite(root), ...listPolicySets(root).map((set) => readPolicySuite(root, set))]
  const cases = suites.flatMap((suite) =>
    Result.match(suite, {
      onFailure: () => [],
      onSuccess: (files) => files.flatMap((file) => file.cases.flatMap(situationsOf))
    })
  )
  return [...cases, ...readExamples(root), ...readLabelled(root)]
    .map((situation) => ({ situation, length: JSON.stringify(situation).length }))
    .toSorted((a, b) => a.length - b.length)
    .map(({ situation }) => situation)
}
