/** What is remembered of words is what reading them again would say. */

import { expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { cachedWordsMax } from "../../src/limits.ts"
import { memoizedWords } from "../../src/rules/memoizedWords.ts"
import { normalizeAction } from "../../src/scoring/lexicon/normalize.ts"
import { model } from "../support/draft.ts"

const words = memoizedWords(model.lexicon)

it("texts that run into each other are told apart", () => {
  const actions: ReadonlyArray<Action> = [
    { actionType: "customers.export", targetSystem: "prod", environment: "staging" },
    { actionType: "customers.export", targetResource: "prod", environment: "staging" },
    { actionType: "customers.export", targetSystem: "pr", targetResource: "od", environment: "staging" },
    { actionType: "customers.export", targetSystem: "-", environment: "staging" },
    { actionType: "customers.export", targetResource: "*", environment: "staging" },
    { actionType: "customers.export", destination: "*", environment: "staging" },
    { actionType: "customers.export", environment: "production" }
  ]
  for (const action of [...actions, ...actions]) {
    expect(words(action)).toEqual(normalizeAction(action, model.lexicon))
  }
})

it("no more is remembered than the limit, and what was forgotten is read again", () => {
  const first: Action = { actionType: "invoice.pay", environment: "production" }
  const remembered = words(first)
  expect(words(first)).toBe(remembered)
  for (let i = 0; i <= cachedWordsMax; i++) words({ ...first, targetResource: `invoice ${i}` })
  expect(words(first)).not.toBe(remembered)
  expect(words(first)).toEqual(remembered)
})
