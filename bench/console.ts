/**
 * How long does a person wait for a page of the console, where an organization has stored a million assessments?
 *
 * Method: one organization with 10^6 assessments of thirty days, made from 240 different ones that the service answered
 * (stored/fill.ts), with facets and counts made by the very statement that the service makes them with, a thousand at a
 * time, and 20,000 open reviews. A signed-in visitor asks for each page, one after the other, all pages in turn;
 * the first round warms up. A page of the queue is also asked for in its middle and at its end, where the links of the pages
 * before it lead. The cost of the facets is measured too: the processor time that PostgreSQL takes for a row, next to that of the
 * service and PostgreSQL for an assessment under load, and their bytes.
 * Goals: every page ≤ 50 ms median; the facets ≤ 3 % of what an assessment costs, and ≤ 250 bytes a row.
 */

import { cursorOf } from "../src/storage/timeOrderedId.ts"
import type { Answer, Question, Row } from "./Question.ts"
import { type ConsoleSession, signIn } from "./stored/consoleSession.ts"
import { fillUpTo } from "./stored/fill.ts"
import { makeFacets } from "./stored/makeFacets.ts"
import { openStage, type Stage } from "./stored/openStage.ts"
import { assessRequest } from "./stored/requests.ts"
import { processorUsOfBoth } from "./stored/processorTime.ts"
import { connections, seconds, sizes, warmUpSeconds } from "./stored/settings.ts"
import { underLoad } from "./stored/underLoad.ts"

const templates = 240
const openReviews = 20_000
const pageMsMax = 50
const facetBytesMax = 250
const facetShareMax = 0.03
/** A session may ask 120 times a minute, and an address sign in ten times. */
const perSession = 100
const rounds = 25

const assessTemplates = async ({ service: { key, url } }: Stage): Promise<void> => {
  for (let i = 1; i < templates; i++) {
    const { body = "", headers, method, path } = assessRequest("template", i * 37, key)
    const answer = await fetch(url + path, { method, headers, body })
    if (answer.status !== 200) throw new Error(`a template was answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

/** Microseconds of processor for one assessment, its seal and its facets among them, as fast as answers come. */
const costOfAssessing = async (stage: Stage): Promise<number> => {
  const { key, url } = stage.service
  const load = { urls: [url], connections, perSecond: null }
  const assess = (run: string) => ({ run, from: 0, key })
  await underLoad({ ...load, seconds: warmUpSeconds, requests: assess("warm-up") })
  const before = processorUsOfBoth(stage)
  const { answered } = await underLoad({ ...load, seconds, requests: assess("cost") })
  return (processorUsOfBoth(stage) - before) / answered
}

/** A session per so many requests, of a key that opens every screen. */
const reviewer = async ({ database, service }: Stage): Promise<ConsoleSession> => {
  await database.owner.query(
    "UPDATE control.api_keys SET scopes = ARRAY['assess', 'read', 'reviews', 'explain', 'rules', 'webhooks']"
  )
  const { origin } = new URL(service.said["console"] ?? "")
  let session = await signIn(origin, service.key)
  let asked = 0
  return {
    get: async (path) => {
      if (++asked % perSession === 0) session = await signIn(origin, service.key)
      return session.get(path)
    }
  }
}

const openQueue = ({ database, organizationId }: Stage) =>
  database.owner.query(
    `INSERT INTO test.reviews (organization_id, assessment_id, opened_at)
    SELECT organization_id, assessment_id, created_at FROM test.assessments
    WHERE organization_id = $1 AND item -> 'action_risk' ->> 'level' IN ('high', 'critical')
    ORDER BY assessment_id DESC LIMIT ${openReviews} ON CONFLICT DO NOTHING`,
    [organizationId]
  )

/** The paths of the pages, by what they are called. */
const pagesOf = async ({ database, organizationId }: Stage): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await database.owner.query<{ id: string; cursor: string; end: string }>(
    `SELECT ids[1] AS id, ids[${openReviews / 2}] AS cursor, ids[${openReviews - 40}] AS end FROM (
      SELECT array_agg(assessment_id ORDER BY assessment_id DESC) AS ids FROM test.reviews
      WHERE organization_id = $1 AND closed_at IS NULL
    ) AS open`,
    [organizationId]
  )
  const [at] = rows
  if (at === undefined) throw new Error("there is no queue")
  return {
    reviews: "/test/reviews",
    "reviews, middle of 20,000": `/test/reviews?cursor=${cursorOf(at.cursor)}`,
    "reviews, end of 20,000": `/test/reviews?cursor=${cursorOf(at.end)}`,
    "reviews, one agent": "/test/reviews?agent_id=agent-7",
    "reviews, critical": "/test/reviews?level=critical",
    assessments: "/test/assessments",
    "assessments, high in production": "/test/assessments?level=high&environment=production",
    "assessments, one agent": "/test/assessments?agent_id=agent-7",
    "assessments, one factor": "/test/assessments?factor=EXTERNAL_DATA_TRANSFER",
    "assessments, no match": "/test/assessments?agent_id=nobody",
    "assessments, searched": "/test/assessments?q=heron",
    "overview, 7 days": "/test/overview?days=7",
    "overview, 30 days": "/test/overview",
    "overview, 90 days": "/test/overview?days=90",
    assessment: `/test/assessments/${at.id}`,
    evidence: "/test/evidence",
    rules: "/test/rules",
    webhooks: "/test/webhooks"
  }
}

const median = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

const measurePages = async (stage: Stage): Promise<ReadonlyArray<Row>> => {
  const session = await reviewer(stage)
  const pages = Object.entries(await pagesOf(stage))
  const tookUs = new Map(pages.map(([name]): [string, Array<number>] => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, path] of pages) {
      const startedAtMs = performance.now()
      await session.get(path)
      if (round > 0) tookUs.get(name)?.push((performance.now() - startedAtMs) * 1_000)
    }
  }
  return pages.map(([subject]) => {
    const sorted = (tookUs.get(subject) ?? []).toSorted((a, b) => a - b)
    return { subject, medianUs: median(sorted, 0.5), p99Us: median(sorted, 0.99) }
  })
}

const measureOn = async (stage: Stage): Promise<Answer> => {
  const size = sizes.at(-1) ?? 0
  await assessTemplates(stage)
  const costUs = await costOfAssessing(stage)
  const tookSeconds = await fillUpTo(stage, size, templates)
  const { bytesARow, microsecondsARow } = await makeFacets(stage)
  await openQueue(stage)
  await stage.database.owner.query("VACUUM (ANALYZE)")
  const rows = await measurePages(stage)
  const slow = rows.filter(({ medianUs }) => medianUs > pageMsMax * 1_000)
  return {
    rows,
    notes: [
      `${size.toLocaleString("en-US")} stored after ${tookSeconds.toFixed(0)} s of filling`,
      `facets and counts: ${microsecondsARow.toFixed(1)} µs of processor, where an assessment takes ${costUs.toFixed(0)}, and ${bytesARow.toFixed(0)} bytes a row`
    ],
    goals: [
      {
        says: `every page ≤ ${pageMsMax} ms median${slow.length === 0 ? "" : `, not ${slow.map(({ subject }) => subject).join(", ")}`}`,
        met: slow.length === 0
      },
      { says: `facets ≤ ${facetBytesMax} bytes a row`, met: bytesARow <= facetBytesMax },
      {
        says: `facets ≤ ${facetShareMax * 100} % of an assessment (${((100 * microsecondsARow) / costUs).toFixed(1)} %)`,
        met: microsecondsARow <= costUs * facetShareMax
      }
    ]
  }
}

export const consoleQuestion: Question = {
  name: "console",
  asks: "A page of the console on a million assessments",
  answer: async () => {
    await using stage = await openStage({ CONSOLE_PORT: "0" })
    return await measureOn(stage)
  }
}
