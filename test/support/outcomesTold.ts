/** The events that a gate reports to a scripted service. */

import { expect, vi } from "vitest"
import { exampleResponse } from "../../src/api/examples/examples.ts"
import { exampleOutcome } from "../../src/api/examples/outcomeExamples.ts"
import { type HeardRequest, opinionAt, type ScriptedService } from "./scriptedService.ts"

export const isEvent = ({ url }: HeardRequest) => url.endsWith("/events")

/** Answers each request at a level, and each event as scripted. */
export const playAt = (service: ScriptedService, level: string, onEvent: "stored" | "never" = "stored") =>
  service.play((response, heard, attempt) => {
    if (!isEvent(heard)) opinionAt(level)(response, heard, attempt)
    else if (onEvent === "stored") response.writeHead(200).end(JSON.stringify(exampleOutcome))
  })

/** The types of the first `count` events, in alphabetical order. */
export const told = async (service: ScriptedService, count: number): Promise<ReadonlyArray<string>> => {
  await vi.waitUntil(() => service.heard.filter(isEvent).length >= count)
  for (const { headers, url } of service.heard.filter(isEvent)) {
    expect(headers.authorization).toBe("Bearer svc_test_tells")
    expect(url).toBe(`/api/v1/assessments/${exampleResponse.assessment_id}/events`)
  }
  return service.heard
    .filter(isEvent)
    .map(({ body }) => JSON.parse(body).type)
    .toSorted()
}
