/** The scorer and the oracle give the same answer to every random call. They were written independently from the same documents. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import { call } from "../support/arbitrary/call.ts"
import { oracleRuns, seed, timeoutMs } from "../support/depth.ts"
import { opineCall } from "../support/opine.ts"
import type { Question } from "./Question.ts"
import { comparable } from "./comparable.ts"
import { opinion } from "./opinion.ts"

const scored = (asked: Question) => comparable(opineCall(asked))

/** One in this many calls is checked thoroughly: with bounds over all two-digit figures. */
const thoroughOnceIn = 400

it(
  `the scorer agrees with the oracle on ${oracleRuns} random calls`,
  { timeout: timeoutMs(oracleRuns) },
  () => {
    console.info(`oracle: seed ${seed}, ${oracleRuns} calls`)
    const agree = ([asked, n]: readonly [Question, number]): boolean =>
      isDeepStrictEqual(scored(asked), opinion(asked, n === 0))
    const cases = fc.tuple(call(), fc.nat(thoroughOnceIn - 1))
    const found = fc.check(fc.property(cases, agree), { numRuns: oracleRuns })
    const [smallest, thorough] = found.counterexample?.[0] ?? []
    // Vitest's own comparison explains well but slowly, so it gets only the smallest difference.
    expect({ report: fc.defaultReportMessage(found), opinion: smallest && scored(smallest) }).toEqual({
      report: undefined,
      opinion: smallest && opinion(smallest, thorough === 0)
    })
  }
)
