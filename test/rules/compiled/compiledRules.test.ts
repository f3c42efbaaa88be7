import { Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { encodeData } from "../../../src/rules/compiled/encodeData.ts"
import { openData } from "../../../src/rules/compiled/openData.ts"
import { packageRoot, readRuleTree } from "../../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { type LexiconTables, prepareLexicon } from "../../../src/rules/lexicon/readLexicon.ts"
import { toVocabulary } from "../../../src/rules/lexicon/prepareVocabulary.ts"
import { historyRecord } from "../../../src/scoring/HistoryRecord.ts"
import type { RiskModel } from "../../../src/scoring/Model.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"
import { score } from "../../../src/scoring/score.ts"
import { allCalls, type Call, judgedCalls } from "../../photograph/calls.ts"
import { deep } from "../../support/depth.ts"
import { model } from "../../support/draft.ts"

/** A sample of the labelled calls. */
const every = 23

const sampleOf = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  deep ? calls : calls.filter((_, at) => at % every === 0)

/** A table or a map as a map of what it leads to; compared below as plain data. */
const withoutTables = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value
  if (Array.isArray(value)) return value.map(withoutTables)
  if (value instanceof Set) return value
  if (Symbol.iterator in value)
    return new Map(
      [...(value as Iterable<[unknown, unknown]>)].map(([key, one]) => [key, withoutTables(one)])
    )
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutTables(one)]))
}

const withLexicon = (tables: LexiconTables): RiskModel => ({
  ...model,
  lexicon: { ...tables, vocabulary: toVocabulary(tables.vocabulary) }
})

let fromFiles: LexiconTables
let compiled: LexiconTables

beforeAll(() => {
  const files = Result.getOrThrow(readRuleTree(packageRoot))
  fromFiles = Result.getOrThrow(prepareLexicon(files.lexicon))
  compiled = openData(encodeData(fromFiles)) as LexiconTables
})

describe("the compiled lexicon", () => {
  it("answers calls as the files do, to the last character", () => {
    const [one, other] = [withLexicon(fromFiles), withLexicon(compiled)]
    const policies = {
      none: loadPolicySet(packageRoot, "none").policySet,
      starter: loadPolicySet(packageRoot, "starter").policySet
    }
    const answerBy = (by: RiskModel, { action, behavior, policies: set }: Call) => ({
      reading: readCall(action, by.lexicon),
      history: historyRecord(action, by),
      opinion: score(action, behavior, by, policies[set])
    })
    const differing = sampleOf([...(deep ? allCalls() : judgedCalls()).values()].flat()).filter(
      (call) => !isDeepStrictEqual(answerBy(one, call), answerBy(other, call))
    )
    expect(differing).toEqual([])
  })

  it("holds what the files hold, each name and each word", () => {
    expect(isDeepStrictEqual(withoutTables(compiled), withoutTables(fromFiles))).toBe(true)
  })
})
