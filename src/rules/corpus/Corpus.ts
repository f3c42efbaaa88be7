/** The corpus on which two rulebooks are compared: situations that can show a difference, and calls for comparing changed knowledge. */

import { Result } from "effect"
import { type Case, readPolicySuite, readRuleSuite, situationsOf } from "../cases/Case.ts"
import type { Situation } from "../cases/Situation.ts"
import type { Root, SourceFile } from "../files/readTree.ts"
import { listPolicySets } from "../policies/loadPolicySet.ts"
import { installedCalls, type PlacelessCall, requestGroups } from "./callGroups.ts"
import { callsOfLexicon } from "./namedCalls.ts"

export interface Corpus {
  /** Tried first as witnesses. Most readable ones first. */
  readonly samples: ReadonlyArray<Situation>
  /** `lexicon`: the files of both lexicons, which name further calls. */
  readonly calls: (lexicon: ReadonlyArray<SourceFile>) => ReadonlyArray<PlacelessCall>
}

export const noCorpus: Corpus = { samples: [], calls: () => [] }

/** Excludes cases with a fault: no request can cause a fault, so they cannot be witnesses. */
const withoutFault = (sample: Case): ReadonlyArray<Situation> =>
  "fault" in sample && sample.fault !== undefined ? [] : situationsOf(sample)

/** Cases of lexicon files contain no request of the form that `installedCalls` collects, so they are added here. */
const callOf = (one: Case): ReadonlyArray<PlacelessCall> =>
  one.kind === "call" ? [one.situations[0].request] : []

/** Skips a folder of cases that cannot be read, which `rules check` reports. */
const readCases = (root: Root): ReadonlyArray<Case> =>
  [readRuleSuite(root), ...listPolicySets(root).map((set) => readPolicySuite(root, set))].flatMap((suite) =>
    Result.match(suite, {
      onFailure: () => [],
      onSuccess: (files) => files.flatMap((file) => file.cases)
    })
  )

const readExamples = (root: Root): ReadonlyArray<Situation> =>
  [...requestGroups(root, "examples/{requests/*.json,labels/calls.ndjson}").values()]
    .flat()
    .map((request) => ({ request }))

/** `further`: calls from elsewhere, in addition to those of this installation. */
export const readCorpus = (root: Root, further: ReadonlyArray<PlacelessCall> = []): Corpus => {
  const cases = readCases(root)
  return {
    samples: [...cases.flatMap(withoutFault), ...readExamples(root)]
      .map((situation) => ({ situation, length: JSON.stringify(situation).length }))
      .toSorted((a, b) => a.length - b.length)
      .map(({ situation }) => situation),
    calls: (lexicon) => [
      ...installedCalls(root),
      ...cases.flatMap(callOf),
      ...further,
      ...callsOfLexicon(lexicon)
    ]
  }
}
