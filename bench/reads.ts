/**
 * What do reads cost: a replay, an assessment by its id, a page of the list, a search?
 *
 * Method: 30,000 stored assessments of thirty days. Each read is put on action-risk and on the floor in turn, 64
 * connections, as fast as answers come. The floor (peers/readingFloor.ts) is bare node:http with the equivalent select on
 * the same tables: no key, no rate limit, no check. Replays send again what was assessed before, byte for byte. The deep
 * page is the thousandth, reached by the cursor that the page before it gave. Rare: what 31 assessments hold; common: what
 * all hold. Goals: ≥ 0.6 × floor each, and the thousandth page at ≥ 0.8 × the first.
 */

import type { Answer, Question } from "./Question.ts"
import { fillUpTo } from "./stored/fill.ts"
import { allAnswered, measureInTurn, type MeasuredRow } from "./stored/measureInTurn.ts"
import { onStage, type Stage } from "./stored/openStage.ts"
import { seconds } from "./stored/settings.ts"
import { assessRequest, getRequest, type Request } from "./stored/requests.ts"

const stored = 30_000
const replayed = 200
const pageSize = 25
const deepPage = 1_000
const floorShareMin = 0.6
const deepShareMin = 0.8

const list = "/api/v1/actions"

const read = async (stage: Stage, { body, headers, method, path }: Request) => {
  const response = await fetch(`${stage.service.url}${path}`, { method, headers, body: body ?? null })
  if (response.status !== 200) throw new Error(`${method} ${path} was answered ${response.status}`)
  return response.json()
}

interface Page {
  readonly next_cursor: string
  readonly data: ReadonlyArray<unknown>
}

/** The cursor of the page at a depth, by pages of 100. */
const cursorAt = async (stage: Stage, rows: number): Promise<string> => {
  let cursor = ""
  for (let passed = 0; passed < rows; passed += 100) {
    const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const page = (await read(stage, getRequest(`${list}?limit=100${from}`, stage.service.key))) as Page
    cursor = page.next_cursor
  }
  return encodeURIComponent(cursor)
}

/** Each read by what it is called. */
const readsOf = async (stage: Stage): Promise<Readonly<Record<string, ReadonlyArray<Request>>>> => {
  const { key } = stage.service
  const asked = Array.from({ length: replayed }, (_, i) => assessRequest("replayed", i, key))
  const ids: Array<string> = []
  for (const one of asked) {
    const { assessment_id } = (await read(stage, one)) as { readonly assessment_id: string }
    ids.push(assessment_id)
  }
  const deep = await cursorAt(stage, deepPage * pageSize)
  const page = (query: string) => [getRequest(`${list}?limit=${pageSize}${query}`, key)]
  return {
    replay: asked,
    "by id": ids.map((id) => getRequest(`/api/v1/assessments/${id}`, key)),
    "first page": page(""),
    "page 1,000": page(`&cursor=${deep}`),
    "search, rare": page("&q=heron"),
    "search, common": page("&q=records")
  }
}

const measureOn = async (stage: Stage): Promise<Answer> => {
  await fillUpTo(stage, stored)
  const reads = await readsOf(stage)
  const floor = await stage.startPeer("readingFloor")
  const rows: Array<MeasuredRow> = []
  const shares = new Map<string, number>()
  for (const [name, requests] of Object.entries(reads)) {
    const both = await measureInTurn(
      [
        { subject: name, urls: [stage.service.url], requests: () => requests },
        { subject: `${name}, floor`, urls: [floor.url], requests: () => requests }
      ],
      { lapSeconds: seconds / 3 }
    )
    rows.push(...both)
    shares.set(name, (both[0]?.perSecond ?? 0) / (both[1]?.perSecond ?? Number.NaN))
  }
  const rateOf = (name: string) => rows.find(({ subject }) => subject === name)?.perSecond ?? Number.NaN
  const deepShare = rateOf("page 1,000") / rateOf("first page")
  return {
    rows,
    notes: [
      `× the floor: ${[...shares].map(([name, share]) => `${name} ${share.toFixed(2)}`).join(", ")}`,
      `page 1,000 at ${deepShare.toFixed(2)} × the first page`
    ],
    goals: [
      allAnswered(rows),
      {
        says: `every read ≥ ${floorShareMin} × the floor`,
        met: [...shares.values()].every((share) => share >= floorShareMin)
      },
      { says: `page 1,000 ≥ ${deepShareMin} × the first`, met: deepShare >= deepShareMin }
    ]
  }
}

export const readsQuestion: Question = {
  name: "reads",
  asks: "Replay, one assessment, a page, a search",
  answer: onStage(measureOn)
}
