/** The corpus on which two rulebooks are compared: situations to show a difference with, and the calls by which changed knowledge is compared. */

import { Result } from "effect"
import { type Case, readPolicySuite, readRuleSuite, situationsOf } from "../cases/Case.ts"
import type { Situation } from "../cases/Situation.ts"
import type { Root, SourceFile } from "../files/readTree.ts"
import { listPolicySets } from "../policies/loadPolicySet.ts"
import { installedCalls, type PlacelessCall, requestGroups } from "./callGroups.ts"
import { callsOfLexicon } from "./namedCalls.ts"

export interface Corpus {
  /** Tried first as witnesses, the most readable ones first. */
  readonly samples: ReadonlyArray<Situation>
  /** `lexicon`: files of both lexicons, which name calls of their own. */
  readonly calls: (lexicon: ReadonlyArray<SourceFile>) => ReadonlyArray<PlacelessCall>
}

export const noCorpus: Corpus = { samples: [], calls: () => [] }

/** Cases with a fault are left out: no request can cause a fault, so they cannot be witnesses. */
const withoutFault = (sample: Case): ReadonlyArray<Situation> =>
  "fault" in sample && sample.fault !== undefined ? [] : situationsOf(sample)

/** A file of cases of the lexicon has no request, by which `installedCalls` finds the calls of all other cases. */
const callOf = (one: Case): ReadonlyArray<PlacelessCall> =>
  one.kind === "call" ? [one.situations[0].request] : []

/** Leaves out a folder of cases that cannot be read: `rules check` reports it. */
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

/** `further`: calls of others, next to those of this installation. */
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
