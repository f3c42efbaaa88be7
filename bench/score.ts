/**
 * How long does one opinion take, from request to result, pure?
 *
 * Method: one process on one core scores in turn, without a pause between two requests.
 *
 * The first edition (release 1.1.0) scores every calibration case: normalize, complete, dimensions, facts, rules, blast
 * radius, action risk, range, missing information, control and summary. Goal: median ≤ 25 µs, p99 ≤ 100 µs.
 *
 * The second edition scores every labelled call of the tests, most of which state a name and little else, with a
 * month of history and without, under the policy sets `none` and `starter`. It reads the names, the arguments and the commands of
 * each anew, and works out exactly what each missing field could change. Goal: median ≤ 60 µs, p99 ≤ 200 µs.
 *
 * The slowest request: texts that take long for their length, in every field up to its limit, each by itself. A request counts
 * with the median of its times, and the slowest of all is told. Goal: ≤ 2 ms.
 */

import { Result } from "effect"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { loadRelease } from "../src/rules/release/loadRelease.ts"
import type { Question, Row } from "./Question.ts"
import { measure } from "./measure.ts"
import { type Asked, calls, longest, second } from "./secondEdition.ts"
import { policySet, situationsFor } from "./situations.ts"

/** The last release of the first edition. */
const { edition: first } = Result.getOrThrow(loadRelease(packageRoot, "1.1.0"))
const situations = situationsFor(first)

const firstGoals = { medianUsMax: 25, p99UsMax: 100 }
const secondGoals = { medianUsMax: 60, p99UsMax: 200 }
const slowestUsMax = 2_000
const timesEach = 15

/** The next one each time, so that no single one is learnt by heart. */
const inTurn = <A>(list: ReadonlyArray<A>, run: (one: A) => unknown) => {
  let at = 0
  return () => {
    const one = list[at++ % list.length]
    return one && run(one)
  }
}

const score = ({ action, behavior, policySet: policies }: Asked) => second.score(action, behavior, policies)

const usOf = (asked: Asked): number => {
  const startedMs = performance.now()
  score(asked)
  return (performance.now() - startedMs) * 1_000
}

const at = (share: number, sorted: ReadonlyArray<number>): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

/** The request with the largest median. With so few times of each, its p99 is its slowest time. */
const slowest = (): Row & { readonly of: string } => {
  const rows = longest.map((asked) => {
    const times = Array.from({ length: timesEach }, () => usOf(asked)).toSorted((a, b) => a - b)
    return {
      subject: "second edition: slowest request",
      of: asked.of,
      medianUs: at(0.5, times),
      p99Us: at(0.99, times)
    }
  })
  return rows.reduce((worst, row) => (row.medianUs > worst.medianUs ? row : worst))
}

let evaluations = 0
const firstCounted = first.withMatch((facts) => {
  evaluations++
  return first.match(facts)
})
const secondCounted = second.withMatch((facts) => {
  evaluations++
  return second.match(facts)
})

/** How often the model is evaluated for one opinion. */
const evaluationsOf = <A>(list: ReadonlyArray<A>, run: (one: A) => unknown): string => {
  evaluations = 0
  for (const one of list) run(one)
  return `${list.length} requests, ${(evaluations / list.length).toFixed(1)} evaluations of the model for each`
}

const goalsFor = (name: string, { medianUsMax, p99UsMax }: typeof firstGoals, row: Row | undefined) => [
  { says: `${name}: median ≤ ${medianUsMax} µs`, met: row !== undefined && row.medianUs <= medianUsMax },
  { says: `${name}: p99 ≤ ${p99UsMax} µs`, met: row !== undefined && row.p99Us <= p99UsMax }
]

export const scoreQuestion: Question = {
  name: "score",
  asks: "One opinion from request to result, pure",
  answer: async () => {
    const rows = await measure([
      {
        subject: "first edition",
        run: inTurn(situations, ({ action, behavior }) => first.score(action, behavior, policySet)),
        each: 1
      },
      { subject: "second edition", run: inTurn(calls, score), each: 1 },
      {
        subject: "second edition: reading alone",
        run: inTurn(calls, ({ action }) => second.read(action)),
        each: 1
      }
    ])
    const { of, ...long } = slowest()
    return {
      rows: [...rows, long],
      notes: [
        `first edition: ${evaluationsOf(situations, ({ action, behavior }) => firstCounted.score(action, behavior, policySet))}`,
        `second edition: ${evaluationsOf(calls, ({ action, behavior, policySet: policies }) => secondCounted.score(action, behavior, policies))}`,
        `slowest request: ${of}, of ${longest.length} long requests`
      ],
      goals: [
        ...goalsFor("first edition", firstGoals, rows[0]),
        ...goalsFor("second edition", secondGoals, rows[1]),
        { says: `slowest request ≤ ${slowestUsMax} µs`, met: long.medianUs <= slowestUsMax }
      ]
    }
  }
}
