/** Texts that try to make reading a call take quadratic time or longer. */

import { describe, expect, test } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { targetResourceMax } from "../../../src/limits.ts"
import { quotedTexts, tokensOf } from "../../../src/scoring/reading/commands/sql/sqlText.ts"
import { model } from "../../support/draft.ts"
import { firstOpinionOn } from "../../support/opine.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"

/** A command as an agent's hook sends it: the resource holds the beginning of a long one, but all of it counts. */
const asking = (actionType: string, command: string): Action => ({
  actionType,
  environment: "staging",
  targetResource: command.slice(0, targetResourceMax),
  ...(command.length > targetResourceMax ? { metadata: { command } } : {})
})

/** The least processor time of this thread for a few runs, because other work on the machine only adds to it. */
const cpuMs = (actionType: string, command: string): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage()
      readCall(asking(actionType, command), model.lexicon)
      const { system, user } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
  )

/** Text that can be split in two ways at each of these places takes seconds at this length, and would never finish at the limit of its field. */
const cutInTwoWays: ReadonlyArray<readonly [of: string, tool: string, command: string]> = [
  ["assignments before a word that is none", "execute_code", `${"a=".repeat(26)} b`],
  ["days of a schedule", "bash", `crontab - <<a\nL L L L ${"LLL#".repeat(24)}!\na\n`]
]

/** As long as a body can be: a pattern with quadratic time takes more than a second. */
const lengthMax = 60_000

const repeated = (text: string, around: readonly [before: string, after: string] = ["", ""]): string =>
  around[0] + text.repeat((lengthMax - around[0].length - around[1].length) / text.length) + around[1]

const squared: ReadonlyArray<readonly [of: string, tool: string, command: string]> = [
  ["open braces", "bash", repeated("{")],
  ["open parentheses", "bash", repeated("(")],
  ["blanks", "run_query", repeated(" ", ["x", "x"])],
  ["blanks that open a query", "run_query", repeated("\u2028", ["(", "x"])],
  ["what looks like a scheme", "note.update", repeated("a.")],
  ["mutations without an end", "graphql", repeated("mutation{")],
  ["mutations in mutations", "graphql", repeated("mutation!{a ")],
  ["words of mutations", "graphql", repeated("mutation ")],
  ["a mutation far before its brace", "graphql", repeated(" ", ["mutation", "!{"])],
  ["parameters that tell of the act", "note.update", repeated("dry_run=true ")],
  ["conditions of one object", "note.update", repeated("action:x ", ["{match:{", ""])],
  ["escaped quotes without an end", "run_query", repeated('\\"', ["{", ""])],
  ["escaped quotes in a request", "http_request", repeated('\\"', ["{", ""])],
  ["escaped quotes in a mutation", "graphql", repeated('\\"', ["mutation{", ""])],
  ["blanks before a fence that does not end", "run_query", repeated(" ", ["```a", "a``"])],
  ["digits", "note.update", repeated("0", ["", "a"])]
]

/** Many times their current time, and less than a tenth of their former time. */
const msMax = 150

describe("a text that was written to be slow", () => {
  test.each(cutInTwoWays)("is read in one way only: %s", (_, tool, command) => {
    expect(cpuMs(tool, command)).toBeLessThan(25)
  })

  test.each(squared)("is read in the time of its length: %s", (_, tool, command) => {
    expect(cpuMs(tool, command)).toBeLessThan(msMax)
  })
})

test("assignments are no command by themselves, but are one with a word after them", () => {
  const typeOf = (command: string) => firstOpinionOn(asking("execute_code", command)).normalizedActionType
  expect(typeOf(" is_test=false mode=a=b ")).toBe("code.execute")
  expect(typeOf("is_test=false rm -rf /")).toBe("path.delete")
})

describe("quoted texts", () => {
  test("are found with their escapes, and keys apart", () => {
    expect(quotedTexts('{"a\\"b" : "c"}')).toEqual([
      { spelled: 'a\\"b', isKey: true },
      { spelled: "c", isKey: false }
    ])
  })

  test("begin again after a text that a line ends", () => {
    expect(quotedTexts('"a\\"b\\\n"c"').map(({ spelled }) => spelled)).toEqual(["c"])
  })

  test("that never end are read as the words in them", () => {
    const pattern = { withTexts: /"(?:[^"\\]|\\.)*("?)|\w+/g, withoutTexts: /\w+/g }
    expect([...tokensOf('a "b" "c\\" d', pattern)].map(({ token }) => token)).toEqual(["a", '"b"', "c", "d"])
  })
})

describe("a command that is longer than what is read of it", () => {
  const tools = ["bash", "execute_sql", "http_request", "graphql", "note.update", "delete_all_customers"]
  const beginnings = ["rm -rf / ; ", "DROP DATABASE a; ", "POST /users/1/delete ", "acl=public-read ", "x "]
  const readMax = 8_192
  /** One sign that folds to seven units. */
  const growing = "\u321d"

  const scoreOf = (tool: string, command: string): number =>
    firstOpinionOn(asking(tool, command)).actionRisk.score

  test.each(tools)("is no milder for what follows: %s", (tool) => {
    for (const text of beginnings)
      for (const rest of [" ", "a ", "dry_run=true ", "--help ", growing.repeat(2)]) {
        const read = text.repeat(readMax / text.length).padEnd(readMax, "x")
        expect(scoreOf(tool, read + rest.repeat(900)), `${text} ${rest}`).toBeGreaterThanOrEqual(
          scoreOf(tool, read)
        )
      }
  })

  test("counts as an unread command", () => {
    const hidden = `${"x ".repeat(readMax)} acl=public-read`
    const grown = `x ${growing.repeat(readMax / 2)} acl=public-read`
    for (const command of [hidden, grown]) {
      const reading = readCall(asking("note.update", command), model.lexicon)
      expect(reading).toMatchObject({ class: "execute", impact: "high", unread: true })
    }
  })

  test("is read to its end where it is as long as what is read", () => {
    const command = `${"x ".repeat(readMax / 2 - 10)} acl=public-read`
    expect(readCall(asking("note.update", command), model.lexicon)).toMatchObject({ unread: false })
  })
})
