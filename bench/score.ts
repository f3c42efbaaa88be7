/**
 * How long does one opinion take, from request to result, pure?
 *
 * Method: one process on one core scores in turn, without a pause between two requests.
 *
 * Every labelled call of the tests, most of which state a name and little else, with a month of history and without, under the
 * policy sets `none` and `starter`. The bench reads the names, the arguments and the commands of each again, and works out exactly
 * what each missing field could change. Goal: median ≤ 60 µs, p99 ≤ 200 µs.
 *
 * The slowest request: texts that take long for their length, in every field up to its limit, each by itself. A request counts
 * with the median of its times, and the bench reports the slowest of all. Goal: ≤ 2 ms.
 *
 * The largest call: whole calls of tools with as many arguments as a gate hands over, 48 KB, measured in the same way. Goal: ≤ 5 ms.
 */

import type { Facts } from "../src/scoring/Facts.ts"
import { readCall } from "../src/scoring/reading/readCall.ts"
import { score } from "../src/scoring/score.ts"
import type { Question, Row } from "./Question.ts"
import { type Asked, calls, draftModel, largestCalls, longest } from "./calls.ts"
import { measure } from "./measure.ts"

const medianUsMax = 60
const p99UsMax = 200
const slowestUsMax = 2_000
const largestUsMax = 5_000
const timesEach = 15

/** The next one each time, so that no single one is learnt by heart. */
const inTurn = <A>(list: ReadonlyArray<A>, run: (one: A) => unknown) => {
  let at = 0
  return () => {
    const one = list[at++ % list.length]
    return one && run(one)
  }
}

const opinionOn = ({ action, behavior, policySet }: Asked, model = draftModel) =>
  score(action, behavior, model, policySet)

const usOf = (asked: Asked): number => {
  const startedMs = performance.now()
  opinionOn(asked)
  return (performance.now() - startedMs) * 1_000
}

const at = (share: number, sorted: ReadonlyArray<number>): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

/** The request with the largest median. With so few times of each, its p99 is its slowest time. */
const slowestOf = (subject: string, requests: typeof longest): Row & { readonly of: string } => {
  const rows = requests.map((asked) => {
    const times = Array.from({ length: timesEach }, () => usOf(asked)).toSorted((a, b) => a - b)
    return { subject, of: asked.of, medianUs: at(0.5, times), p99Us: at(0.99, times) }
  })
  return rows.reduce((worst, row) => (row.medianUs > worst.medianUs ? row : worst))
}

/** How often the model is evaluated for one opinion. */
const evaluations = (): string => {
  let evaluated = 0
  const counting = {
    ...draftModel,
    match: (facts: Facts) => {
      evaluated++
      return draftModel.match(facts)
    }
  }
  for (const asked of calls) opinionOn(asked, counting)
  return `${calls.length} requests, ${(evaluated / calls.length).toFixed(1)} evaluations of the model for each`
}

export const scoreQuestion: Question = {
  name: "score",
  asks: "One opinion from request to result, pure",
  answer: async () => {
    const rows = await measure([
      { subject: "labelled calls", run: inTurn(calls, (asked) => opinionOn(asked)), each: 1 },
      {
        subject: "reading alone",
        run: inTurn(calls, ({ action }) => readCall(action, draftModel.lexicon)),
        each: 1
      }
    ])
    const [whole] = rows
    const { of, ...long } = slowestOf("slowest request", longest)
    const { of: largest, ...call } = slowestOf("largest call", largestCalls)
    return {
      rows: [...rows, long, call],
      notes: [
        evaluations(),
        `slowest request: ${of}, of ${longest.length} long requests`,
        `largest call: ${largest}, of ${largestCalls.length}`
      ],
      goals: [
        {
          says: `labelled calls: median ≤ ${medianUsMax} µs`,
          met: whole !== undefined && whole.medianUs <= medianUsMax
        },
        { says: `labelled calls: p99 ≤ ${p99UsMax} µs`, met: whole !== undefined && whole.p99Us <= p99UsMax },
        { says: `slowest request ≤ ${slowestUsMax} µs`, met: long.medianUs <= slowestUsMax },
        { says: `largest call ≤ ${largestUsMax} µs`, met: call.medianUs <= largestUsMax }
      ]
    }
  }
}
