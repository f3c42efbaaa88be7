/** Memoized words equal the words of a new reading. */

import { expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { cachedWordsMax, shortTextMax } from "../../src/limits.ts"
import { memoizedWords } from "../../src/rules/memoize.ts"
import { edition } from "../support/edition1.ts"
import { next } from "../support/next.ts"

const words = memoizedWords(edition)

it("two actions with equal joined texts have different words", () => {
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
    expect(words(action)).toEqual(edition.read(action))
  }
})

it("the memory is bounded, and forgotten words are read again", () => {
  const first: Action = { actionType: "invoice.pay", environment: "production" }
  const remembered = words(first)
  expect(words(first)).toBe(remembered)
  for (let i = 0; i <= cachedWordsMax; i++) words({ ...first, targetResource: `invoice ${i}` })
  expect(words(first)).not.toBe(remembered)
  expect(words(first)).toEqual(remembered)
})

it("words of a long action are read once for the action itself, and kept for no other", () => {
  const reads: Array<Action> = []
  const counted = memoizedWords({
    ...next,
    read: (action) => {
      reads.push(action)
      return next.read(action)
    }
  })
  const long = (): Action => ({
    actionType: "shell.run",
    environment: "staging",
    metadata: { command: "ls ".repeat(shortTextMax) }
  })
  const one = long()
  expect(counted(one)).toBe(counted(one))
  expect(counted(long())).toEqual(counted(one))
  expect(reads).toHaveLength(2)
})
