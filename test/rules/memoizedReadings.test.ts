/** Memoized readings equal new ones. */

import { expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { cachedWordsMax, shortTextMax } from "../../src/limits.ts"
import { memoizedReadings } from "../../src/rules/memoize.ts"
import { model } from "../support/draft.ts"
import { readCall } from "../../src/scoring/reading/readCall.ts"

const readingOf = memoizedReadings(model)

it("two actions with equal joined texts have different readings", () => {
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
    expect(readingOf(action)).toEqual(readCall(action, model.lexicon))
  }
})

it("the memory is bounded, and forgotten readings are made again", () => {
  const first: Action = { actionType: "invoice.pay", environment: "production" }
  const remembered = readingOf(first)
  expect(readingOf(first)).toBe(remembered)
  for (let i = 0; i <= cachedWordsMax; i++) readingOf({ ...first, targetResource: `invoice ${i}` })
  expect(readingOf(first)).not.toBe(remembered)
  expect(readingOf(first)).toEqual(remembered)
})

it("a long action is read once for the action itself, and its reading is kept for no other", () => {
  const long = (): Action => ({
    actionType: "shell.run",
    environment: "staging",
    metadata: { command: "ls ".repeat(shortTextMax) }
  })
  const one = long()
  const known = readingOf(one)
  expect(readingOf(one)).toBe(known)
  expect(readingOf(long())).not.toBe(known)
  expect(readingOf(long())).toEqual(known)
})
