/** OCSF events match the published schema, and describe an action as proposed, not as done. */

import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { exampleRequest, exampleResponse } from "../../src/api/examples/examples.ts"
import { actionClasses } from "../../src/domain/Action.ts"
import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import { encodeOcsf } from "../../src/evidence/ocsf.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { storedAnswerTo } from "../support/consoleView.ts"
import { ocsfProblems } from "../support/ocsf/ocsfProblems.ts"

const organizationId = randomUUID()

const requests = join(import.meta.dirname, "../../examples/requests")

const eventsOf = (answer: Partial<AssessmentResponse>, input: JsonObject = { ...exampleRequest }) => {
  const lines = encodeOcsf({
    organizationId,
    response: Buffer.from(JSON.stringify({ ...exampleResponse, ...answer })),
    input: Buffer.from(JSON.stringify(input)),
    inputDigest: new Uint8Array(32),
    resultDigest: new Uint8Array(32),
    seal: null
  })
  expect(lines.flatMap(ocsfProblems)).toEqual([])
  return lines.map((line) => JSON.parse(line))
}

const levelOf = (level: (typeof actionRiskLevels)[number]) => ({
  action_risk: { ...exampleResponse.action_risk, level }
})

describe("the events of an assessment", () => {
  it.each(readdirSync(requests))("are what the schema takes, of %s", (file) => {
    const stored = storedAnswerTo(JSON.parse(readFileSync(join(requests, file), "utf8")))
    const lines = encodeOcsf({ ...stored, organizationId })
    expect(lines.flatMap(ocsfProblems)).toEqual([])
    const [activity, ...findings] = lines.map((line) => JSON.parse(line))
    expect(activity.metadata.uid).toBe(stored.assessmentId)
    expect(findings.map(({ finding_info }) => finding_info.uid)).toEqual(
      findings.length === 0 ? [] : [stored.assessmentId]
    )
  })

  it("are an API Activity, and a Detection Finding where the assessment opened a review", () => {
    const classesOf = (answer: Partial<AssessmentResponse>) =>
      eventsOf({ assessment_status: "complete", ...answer }).map(({ class_uid }) => class_uid)
    expect(classesOf(levelOf("low"))).toEqual([6003])
    expect(classesOf(levelOf("moderate"))).toEqual([6003])
    expect(classesOf(levelOf("high"))).toEqual([6003, 2004])
    expect(classesOf(levelOf("critical"))).toEqual([6003, 2004])
    expect(classesOf({ ...levelOf("low"), assessment_status: "incomplete" })).toEqual([6003, 2004])
  })

  it("have the severity of the level, and more of it at a higher one", () => {
    const severities = actionRiskLevels.map((level) => eventsOf(levelOf(level))[0].severity_id)
    expect(severities).toEqual([2, 3, 4, 5])
  })

  it.each(actionClasses)("are what the schema takes, of an action of the class %s", (actionClass) => {
    const [activity] = eventsOf({ reading: { ...exampleResponse.reading, class: actionClass } })
    expect(activity.type_uid).toBe(600_300 + activity.activity_id)
    expect(activity.unmapped.action_class).toBe(actionClass)
  })

  it("do not say that the action was taken", () => {
    for (const event of eventsOf(levelOf("critical")))
      expect([1, 2]).not.toContain(event.class_uid === 6003 ? event.status_id : 0)
    expect(eventsOf(levelOf("low"))[0]).toMatchObject({ status_id: 99, status: "Proposed" })
  })

  it("name agent, operation, system, resource and destination, stated or read from the arguments", () => {
    const [activity, finding] = eventsOf(levelOf("high"))
    const told = {
      actor: { app_name: exampleRequest.agent_id },
      api: { operation: exampleRequest.action_type, service: { name: exampleRequest.target_system } },
      dst_endpoint: { name: exampleRequest.destination }
    }
    expect(activity).toMatchObject({ ...told, resources: [{ name: exampleRequest.target_resource }] })
    expect(finding).toMatchObject({
      evidences: [told],
      resources: [{ name: exampleRequest.target_resource }]
    })
    const [read] = eventsOf(
      { assumptions: [{ field: "destination", assumed: "ACC-991", argument: "$.to" }] },
      { action_type: "pay", environment: "production" }
    )
    expect(read).toMatchObject({ actor: { app_name: "not stated" }, dst_endpoint: { name: "ACC-991" } })
    expect(read.resources).toBeUndefined()
  })

  it("have each an id of its own, and one id in common", () => {
    const events = eventsOf(levelOf("high"))
    expect(new Set(events.map(({ metadata }) => metadata.uid)).size).toBe(2)
    expect(new Set(events.map(({ metadata }) => metadata.correlation_uid))).toEqual(
      new Set([exampleResponse.assessment_id])
    )
    expect(events.map(({ metadata }) => metadata.tenant_uid)).toEqual([organizationId, organizationId])
  })

  it("are refused by the schema with an attribute that it does not have, and without one that it asks for", () => {
    const [activity] = eventsOf({})
    expect(ocsfProblems(JSON.stringify({ ...activity, surprise: 1 }))).not.toEqual([])
    expect(ocsfProblems(JSON.stringify({ ...activity, src_endpoint: undefined }))).not.toEqual([])
    expect(ocsfProblems(JSON.stringify({ ...activity, severity_id: 7 }))).not.toEqual([])
  })
})
