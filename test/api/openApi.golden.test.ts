/** The OpenAPI document: complete, reviewed as a golden file, and clean by Redocly's recommended rules. */

import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { headerBytesMax } from "../../src/limits.ts"
import { testServer } from "../support/TestServer.ts"
import { expectHeaders } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

type Examples = Readonly<Record<string, { readonly $ref: string }>>

interface Operation {
  readonly operationId: string
  readonly security: ReadonlyArray<unknown>
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers: object; readonly content?: Readonly<Record<string, { examples: Examples }>> }
    >
  >
}

interface Schema {
  readonly type?: unknown
  readonly enum?: unknown
  readonly minimum?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
}

interface Document {
  readonly openapi: string
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, { readonly value: { readonly error: object } }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const { url } = runServer(testServer())

const fetchDocument = async (): Promise<Document> => {
  const response = await fetch(`${url()}/openapi.json`)
  expectHeaders({ status: response.status, headers: Object.fromEntries(response.headers), body: "" })
  return (await response.json()) as Document
}

/** Every object of the document that could be a schema; examples hold none. */
const schemasIn = (node: unknown): ReadonlyArray<Schema> =>
  typeof node === "object" && node !== null
    ? [
        node,
        ...Object.entries(node).flatMap(([key, inner]) => (key.startsWith("example") ? [] : schemasIn(inner)))
      ]
    : []

const operations = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item))

/** The errors that operations show for a status of HTTP itself; where a body is read, a 400 is about the body. */
const transportExamples = (document: Document, status: string) =>
  operations(document)
    .filter(({ responses }) => status !== "400" || !("413" in responses))
    .flatMap(({ responses }) =>
      Object.values(responses[status]?.content?.["application/json"]?.examples ?? {})
    )
    .map(({ $ref }) => document.components.examples[$ref.split("/").at(-1) ?? ""]?.value.error)

describe("/openapi.json", () => {
  it("is what the golden file says", async () => {
    const text = `${JSON.stringify(await fetchDocument(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot("../golden/openapi.json")
  })

  it("passes Redocly's recommended rules without an error or a warning", async () => {
    const folder = await mkdtemp(join(tmpdir(), "action-risk-openapi-"))
    const file = join(folder, "openapi.json")
    await writeFile(file, JSON.stringify(await fetchDocument()))
    const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"))
    const { stdout } = await promisify(execFile)(process.execPath, [redocly, "lint", file, "--format=json"], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf("{")))
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
    await rm(folder, { recursive: true })
  }, 60_000)

  it("names the operations of the specification and their paths", async () => {
    const document = await fetchDocument()
    expect(document.openapi).toMatch(/^3\.1/)
    expect(document.servers).toMatchObject([{ url: "https://risk.example" }])
    const named = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`)
    )
    expect(named).toEqual([
      "assessAction post /api/v1/actions/assess",
      "listActions get /api/v1/actions",
      "getAssessment get /api/v1/assessments/{assessment_id}",
      "askWhatIf post /api/v1/assessments/{assessment_id}/what-if",
      "replayAssessment post /api/v1/assessments/{assessment_id}/replay",
      "explainAssessment get /api/v1/assessments/{assessment_id}/explanation",
      "listReviews get /api/v1/reviews",
      "getReview get /api/v1/reviews/{review_id}",
      "closeReview post /api/v1/reviews/{review_id}/close",
      "getStatistics get /api/v1/statistics",
      "streamEvents get /api/v1/events",
      "listRules get /api/v1/rules",
      "getRule get /api/v1/rules/{code}",
      "compareRules post /api/v1/rules/comparisons",
      "getRuleComparison get /api/v1/rules/comparisons/{comparison_id}",
      "reportOutcome post /api/v1/assessments/{assessment_id}/events",
      "listOutcomes get /api/v1/assessments/{assessment_id}/events",
      "createWebhookEndpoint post /api/v1/webhook-endpoints",
      "listWebhookEndpoints get /api/v1/webhook-endpoints",
      "getWebhookEndpoint get /api/v1/webhook-endpoints/{endpoint_id}",
      "changeWebhookEndpoint patch /api/v1/webhook-endpoints/{endpoint_id}",
      "deleteWebhookEndpoint delete /api/v1/webhook-endpoints/{endpoint_id}",
      "rotateWebhookSecret post /api/v1/webhook-endpoints/{endpoint_id}/rotate-secret",
      "testWebhookEndpoint post /api/v1/webhook-endpoints/{endpoint_id}/test",
      "listWebhookDeliveries get /api/v1/webhook-endpoints/{endpoint_id}/deliveries",
      "redeliver post /api/v1/webhook-deliveries/{delivery_id}/redeliver",
      "getStatus get /api/public/v1/status"
    ])
  })

  it("declares every status of each operation, with headers and an example", async () => {
    const document = await fetchDocument()
    const declared = Object.fromEntries(
      operations(document).map(({ operationId, responses }) => [operationId, Object.keys(responses)])
    )
    const open = ["400", "405", "408", "417", "429", "431", "503"]
    const keyed = [...open, "401", "403"]
    const list = [...keyed, "200", "422"]
    const reading = [...keyed, "413", "422"]
    const expected = {
      assessAction: [...reading, "200", "409"],
      listActions: list,
      getAssessment: [...keyed, "200", "304", "404"],
      askWhatIf: [...reading, "200", "404"],
      replayAssessment: [...reading, "200", "404"],
      explainAssessment: [...keyed, "200", "404"],
      listReviews: list,
      getReview: [...keyed, "200", "404"],
      closeReview: [...reading, "200", "404"],
      getStatistics: list,
      streamEvents: list,
      listRules: list,
      getRule: [...list, "404"],
      compareRules: [...reading, "202"],
      getRuleComparison: [...keyed, "200", "404"],
      reportOutcome: [...reading, "200", "404", "409"],
      listOutcomes: [...keyed, "200", "404"],
      createWebhookEndpoint: [...reading, "201", "409"],
      listWebhookEndpoints: list,
      getWebhookEndpoint: [...keyed, "200", "404"],
      changeWebhookEndpoint: [...reading, "200", "404"],
      deleteWebhookEndpoint: [...keyed, "204", "404"],
      rotateWebhookSecret: [...reading, "200", "404", "409"],
      testWebhookEndpoint: [...reading, "202", "404"],
      listWebhookDeliveries: [...list, "404"],
      redeliver: [...reading, "202", "404"],
      getStatus: [...open, "200"]
    }
    expect(declared).toEqual(
      Object.fromEntries(Object.entries(expected).map(([id, statuses]) => [id, statuses.toSorted()]))
    )
    for (const { operationId, responses } of operations(document)) {
      for (const [status, { content, headers }] of Object.entries(responses)) {
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining(["svc-request-id", "svc-ratelimit-reset"])
        )
        const examples = Object.keys(
          (content?.["application/json"] ?? content?.["text/event-stream"])?.examples ?? {}
        )
        const empty = status === "204" || status === "304"
        expect([operationId, status, examples.length > 0]).toEqual([operationId, status, !empty])
      }
    }
  })

  it.each([
    ["400", "GARBAGE\r\n\r\n"],
    ["417", request({ method: "GET", path: "/api/public/v1/status", headers: ["Expect: x"] })],
    ["431", request({ method: "GET", path: "/", headers: [`X-Big: ${"a".repeat(headerBytesMax)}`] })]
  ])("shows for %s the error that such bytes get", async (status, bytes) => {
    const [response] = await sendRaw(Number(new URL(url()).port), bytes)
    const { error } = JSON.parse(response?.body ?? "")
    for (const example of transportExamples(await fetchDocument(), status)) {
      expect({ ...example, request_id: error.request_id }).toEqual(error)
    }
  })

  it("shows that a request that arrived too slowly can be sent again", async () => {
    const document = await fetchDocument()
    const examples = transportExamples(document, "408")
    expect(examples).toHaveLength(operations(document).length)
    for (const example of examples) {
      expect(example).toMatchObject({ retryable: true, message: expect.stringMatching(/too long to arrive/) })
    }
  })

  it("gives every number as a number that is never negative", async () => {
    const document = await fetchDocument()
    const texts = schemasIn(document).filter((schema) =>
      JSON.stringify(schema.enum ?? []).includes("Infinity")
    )
    expect(texts).toEqual([])
    const numbers = schemasIn(document).filter(({ type }) => type === "integer" || type === "number")
    expect(numbers.length).toBeGreaterThan(50)
    // For an assumption, the schema only requires a scalar.
    const negative = numbers.filter(({ minimum }) => !(typeof minimum === "number" && minimum >= 0))
    expect(negative).toEqual([{ type: "number" }, { type: "number" }, { type: "number" }])
  })

  it("gives the counts of a request as integers, within what the service accepts", async () => {
    const { AssessmentRequest } = (await fetchDocument()).components.schemas
    const { entities_affected, records_affected } = AssessmentRequest?.properties ?? {}
    const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    expect(entities_affected).toEqual({ ...count, description: "Number of distinct entities in scope." })
    expect(records_affected).toEqual({ ...count, description: "Number of records in scope." })
  })

  it("requires a key for every operation but the status", async () => {
    const open = operations(await fetchDocument()).filter(({ security }) => security.length === 0)
    expect(open.map(({ operationId }) => operationId)).toEqual(["getStatus"])
  })
})
