/** The response headers that the OpenAPI document declares, and which of them each response has. */

/** A response header as OpenAPI declares it. */
interface Header {
  readonly description: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string | number
}

const headerObject = (
  type: "string" | "integer",
  example: string | number,
  description: string,
  more: Readonly<Record<string, unknown>> = {}
): Header => ({ description, required: true, schema: { type, ...more }, example })

const optionalHeader = (header: Header): Header => ({ ...header, required: false })

const cacheControl = (value: string) => headerObject("string", value, "How the response may be cached.")
const authenticate = headerObject("string", "Bearer", "The challenge (RFC 6750).")

/** Every header, by the name of its component. A second component for the same header has a suffix after a dot. */
export const headerComponents = {
  "svc-request-id": headerObject(
    "string",
    "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF",
    "Trace identifier of the request."
  ),
  "svc-api-version": headerObject("string", "v1", "Version of this contract.", { const: "v1" }),
  "svc-ratelimit-limit": headerObject("integer", 120, "Requests permitted in the window.", { minimum: 1 }),
  "svc-ratelimit-remaining": headerObject("integer", 119, "Requests left in the window, after this one.", {
    minimum: 0
  }),
  "svc-ratelimit-reset": headerObject("integer", 1795426200, "Unix seconds at which the window resets.", {
    minimum: 0
  }),
  "x-content-type-options": headerObject("string", "nosniff", "Always nosniff.", { const: "nosniff" }),
  "cache-control": cacheControl("no-store"),
  "cache-control.evidence": cacheControl("private, no-cache"),
  etag: headerObject("string", '"3q2-7wAAAAAAAAAAAAAAAA"', "Digest of the bytes, for If-None-Match."),
  "www-authenticate": authenticate,
  "www-authenticate.scope": optionalHeader({
    ...authenticate,
    example: 'Bearer error="insufficient_scope", scope="read"'
  }),
  allow: headerObject("string", "POST", "The methods that the path accepts."),
  "retry-after": headerObject("integer", 1, "Seconds to wait before a retry, at least 1.", { minimum: 1 }),
  "svc-risk-opinion": headerObject(
    "string",
    "none",
    "How much of a risk opinion the response holds; an error holds none.",
    { enum: ["full", "partial", "none"] }
  ),
  "svc-idempotent-replay": optionalHeader(
    headerObject(
      "string",
      "true",
      "Present when this is the answer to an earlier request with the same Idempotency-Key."
    )
  ),
  "svc-replay-request-id": optionalHeader(
    headerObject(
      "string",
      "req_01KAFSA1B2C3D4E5F6G7H8J9KM",
      "The trace identifier of this exchange, on a replay."
    )
  )
}

type Component = keyof typeof headerComponents

const commonHeaders: ReadonlyArray<Component> = [
  "svc-request-id",
  "svc-api-version",
  "svc-ratelimit-limit",
  "svc-ratelimit-remaining",
  "svc-ratelimit-reset",
  "x-content-type-options"
]

const headersByStatus: Readonly<Record<string, ReadonlyArray<Component>>> = {
  401: ["www-authenticate"],
  403: ["www-authenticate.scope"],
  405: ["allow"],
  429: ["retry-after"],
  503: ["retry-after"]
}

/** Operations that accept an Idempotency-Key. */
const idempotentOperations = new Set(
  ["assessAction", "reportOutcome"].concat(["createWebhookEndpoint", "rotateWebhookSecret"])
)

const componentsOf = (operationId: string, status: string): ReadonlyArray<Component> => {
  const evidence = operationId === "getAssessment" && (status === "200" || status === "304")
  const caching: ReadonlyArray<Component> = evidence ? ["cache-control.evidence", "etag"] : ["cache-control"]
  const common = [...commonHeaders, ...caching, ...(headersByStatus[status] ?? [])]
  const opinion: ReadonlyArray<Component> = operationId === "assessAction" ? ["svc-risk-opinion"] : []
  const replay: ReadonlyArray<Component> =
    status.startsWith("2") && idempotentOperations.has(operationId)
      ? ["svc-idempotent-replay", "svc-replay-request-id"]
      : []
  return [...common, ...opinion, ...replay]
}

/** References to the response headers of `operationId` at `status`. */
export const responseHeadersOf = (operationId: string, status: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    componentsOf(operationId, status).map((component) => [
      component.split(".")[0],
      { $ref: `#/components/headers/${component}` }
    ])
  )
