/** Law 2 of the reading: more of a call never lowers its score. The acts of the call are joined, and a join is no milder than its parts. */

import { Result } from "effect"
import fc from "fast-check"
import { globSync, readFileSync } from "node:fs"
import { join as pathOf } from "node:path"
import { parse } from "unbash"
import { describe, expect, it } from "vitest"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import { actionClasses, dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { type Act, extents, impacts, join, riskOf } from "../../src/scoring/reading/Act.ts"
import { tries, timeoutMs } from "../support/depth.ts"
import { firstOpinionOn } from "../support/opine.ts"

/** A single act. Several acts result from a join. */
const act: fc.Arbitrary<Act> = fc.record({
  type: fc.constant("thing.act"),
  class: fc.constantFrom(...actionClasses),
  impact: fc.constantFrom(...impacts),
  reversibility: fc.option(fc.constantFrom(...reversibilities), { nil: undefined }),
  soft: fc.boolean(),
  others: fc.constant([]),
  extent: fc.constantFrom(...extents),
  holds: fc.constantFrom(...dataClassifications),
  anywhere: fc.boolean(),
  credential: fc.boolean(),
  weakens: fc.boolean(),
  remote: fc.boolean()
})

/** The content of a joined act, whichever of its deeds names it. */
const saidBy = ({ others, ...head }: Act) => ({
  anywhere: head.anywhere,
  credential: head.credential,
  weakens: head.weakens,
  remote: head.remote,
  extent: head.extent,
  holds: head.holds,
  deeds: [head, ...others]
    .map((one) => `${one.class} ${one.impact} ${one.reversibility ?? ""} ${one.soft === true}`)
    .toSorted()
})

const joined = (acts: ReadonlyArray<Act>): Act => {
  const [first, ...others] = acts
  if (first === undefined) throw new Error("nothing to join")
  return join(first, others)
}

const runs = tries(100_000)
const some = fc.array(act, { minLength: 1, maxLength: 4 })

describe("acts that are joined", () => {
  it("say the same in any order", { timeout: timeoutMs(runs) }, () => {
    const orders = some.chain((acts) =>
      fc.tuple(fc.constant(acts), fc.shuffledSubarray(acts, { minLength: acts.length }))
    )
    fc.assert(
      fc.property(orders, ([acts, shuffled]) => {
        expect(saidBy(joined(shuffled))).toEqual(saidBy(joined(acts)))
      }),
      { numRuns: runs }
    )
  })

  it("say the same in any grouping, and twice", { timeout: timeoutMs(runs) }, () => {
    fc.assert(
      fc.property(some, some, (left, right) => {
        const whole = saidBy(joined([...left, ...right]))
        expect(saidBy(join(joined(left), [joined(right)]))).toEqual(whole)
        expect(saidBy(joined([...left, ...right, ...left]))).toEqual(whole)
      }),
      { numRuns: runs }
    )
  })

  it("are no milder than one of them", { timeout: timeoutMs(runs) }, () => {
    fc.assert(
      fc.property(some, (acts) => {
        const whole = joined(acts)
        for (const one of acts) {
          expect(riskOf(whole)).toBeGreaterThanOrEqual(riskOf(one))
          expect(extents.indexOf(whole.extent)).toBeGreaterThanOrEqual(extents.indexOf(one.extent))
          expect(dataClassifications.indexOf(whole.holds)).toBeGreaterThanOrEqual(
            dataClassifications.indexOf(one.holds)
          )
        }
      }),
      { numRuns: runs }
    )
  })
})

/** Texts that people and agents gave a shell, in calls that are one such text and nothing else. */
const commands: ReadonlyArray<string> = globSync("test/labels/**/*.ndjson", { cwd: packageRoot })
  .toSorted()
  .flatMap((path) => readFileSync(pathOf(packageRoot, path), "utf8").trim().split("\n"))
  .flatMap((line) => {
    const { actionType, targetResource = "" } = Result.getOrThrow(
      readActionRequest(JSON.parse(line).request, false)
    ).action
    const isShell =
      /^(?:claude_code\.)?Bash$|^shell$/.test(actionType) && parse(targetResource).errors === undefined
    // A heredoc and a comment consume what follows. SQL and JSON are not shell.
    return isShell && !/<<|#|\\$|^\s*(?:$|[{[]|[A-Z]{4,} )/.test(targetResource) ? [targetResource] : []
  })

const wholeRuns = tries(20_000)

describe("one more command", () => {
  const scoreOf = (targetResource: string, environment: (typeof environments)[number]): number =>
    firstOpinionOn({ actionType: "Bash", targetResource, environment }).actionRisk.score
  const pair = fc.record({
    one: fc.constantFrom(...commands),
    other: fc.constantFrom(...commands),
    between: fc.constantFrom("; ", " && ", "\n"),
    environment: fc.constantFrom(...environments)
  })

  it("never lowers the score of a command line", { timeout: timeoutMs(wholeRuns) }, () => {
    fc.assert(
      fc.property(pair, ({ between, environment, one, other }) => {
        const whole = scoreOf(`${one}${between}${other}`, environment)
        expect(whole).toBeGreaterThanOrEqual(Math.max(scoreOf(one, environment), scoreOf(other, environment)))
      }),
      { numRuns: wholeRuns }
    )
  })
})

describe("a program without an entry", () => {
  const scoreOf = (targetResource: string, environment: (typeof environments)[number]): number =>
    firstOpinionOn({ actionType: "Bash", targetResource, environment }).actionRisk.score
  /** Words that begin a construct of the shell, or set variables. */
  const simple = commands.filter(
    (command) => !/^\s*(?:[({!]|\w+\+?=|(?:for|if|while|until|case|function|time)\b)/.test(command)
  )
  const behind = fc.record({
    program: fc.constantFrom("frobnicate", "$FROB", "frobnicate -v", "$FROB -n 3"),
    command: fc.constantFrom(...simple),
    environment: fc.constantFrom(...environments)
  })

  it("in front of a command never lowers its score", { timeout: timeoutMs(wholeRuns) }, () => {
    fc.assert(
      fc.property(behind, ({ command, environment, program }) => {
        expect(scoreOf(`${program} ${command}`, environment)).toBeGreaterThanOrEqual(
          scoreOf(command, environment)
        )
      }),
      { numRuns: wholeRuns }
    )
  })
})
