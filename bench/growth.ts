/**
 * Does the service grow slower with what it has stored?
 *
 * Method: one organization with 10^3, 10^5 and 10^6 assessments of thirty days (stored/fill.ts, through the fold of the
 * service itself). At each size the same modest load: assessments at a steady rate, then list pages, then a search for what few
 * assessments hold, one of a thousand, and one for what fills a page at every size; latency counted from when a request was due. The two statements that read a behaviour snapshot are measured too, as PostgreSQL itself times them (EXPLAIN ANALYZE, median of many). Before each measurement the counts that
 * snapshots are read from are compared with the rows that they count. Goal: every median at the largest size within 1.2 ×
 * that at the smallest, except of the past days' counts: they are read once a minute, and grow until every figure has been
 * seen. BENCH_SIZES sets the sizes.
 */

import type { Answer, Question, Row } from "./Question.ts"
import { fillUpTo } from "./stored/fill.ts"
import { assertFolded } from "./stored/assertFolded.ts"
import { onStage, type Stage } from "./stored/openStage.ts"
import { getRequest } from "./stored/requests.ts"
import { connections, seconds, sizes, warmUpSeconds } from "./stored/settings.ts"
import { readOnceAMinute, timeSnapshot } from "./stored/timeSnapshot.ts"
import { type Load, underLoad } from "./stored/underLoad.ts"

const timesSmallestMax = 1.2
const perSecond = 100

const steadyRow = async (
  { service }: Stage,
  subject: string,
  requestsOf: (lap: string) => Load["requests"]
): Promise<Row> => {
  const load = { urls: [service.url], connections, perSecond }
  await underLoad({ ...load, seconds: warmUpSeconds, requests: requestsOf("warm-up") })
  const { medianUs, p99Us } = await underLoad({ ...load, seconds: seconds / 2, requests: requestsOf("run") })
  return { subject, medianUs, p99Us }
}

const rowsAt = async (stage: Stage, size: number): Promise<ReadonlyArray<Row>> => {
  const { key } = stage.service
  const page = (query: string) => () => [getRequest(`/api/v1/actions?limit=25${query}`, key)]
  return [
    await steadyRow(stage, "assess", (lap) => ({ run: `${size}-${lap}`, from: size, key })),
    await steadyRow(stage, "list", page("")),
    await steadyRow(stage, "search", page("&q=heron")),
    await steadyRow(stage, "search of a fortieth", page("&q=agent-17")),
    ...(await timeSnapshot(stage))
  ]
}

const measureOn = async (stage: Stage): Promise<Answer> => {
  const bySize: Array<ReadonlyArray<Row>> = []
  const notes: Array<string> = []
  for (const size of sizes) {
    const tookSeconds = await fillUpTo(stage, size)
    await assertFolded(stage)
    bySize.push(await rowsAt(stage, size))
    notes.push(`${size.toLocaleString("en-US")} stored after ${tookSeconds.toFixed(0)} s of filling`)
  }
  const [smallest = []] = bySize
  const largest = bySize.at(-1) ?? []
  return {
    rows: smallest.flatMap((_, i) =>
      bySize.flatMap((rows, at) => {
        const row = rows[i]
        const size = (sizes[at] ?? 0).toLocaleString("en-US")
        return row === undefined ? [] : [{ ...row, subject: `${row.subject} at ${size}` }]
      })
    ),
    notes,
    goals: smallest.flatMap(({ medianUs, subject }, i) => {
      if (subject === readOnceAMinute) return []
      const times = (largest[i]?.medianUs ?? Number.NaN) / medianUs
      return {
        says: `${subject}: median at most ${timesSmallestMax} × that of the smallest size (${times.toFixed(2)})`,
        met: times <= timesSmallestMax
      }
    })
  }
}

export const growthQuestion: Question = {
  name: "growth",
  asks: "The same load on ever more stored assessments",
  answer: onStage(measureOn)
}
