/** The service as an MCP server over any transport: its tools and resources. Each request uses the key of its caller. */

import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { McpServer, Tool, Toolkit } from "effect/ai"
import { ActionList, filterParameters } from "../../api/Actions.ts"
import { AssessmentRequest } from "../../api/AssessmentRequest.ts"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { AssessmentExplanation } from "../../api/Explanations.ts"
import { pageParameters, Uuid } from "../../api/Scalars.ts"
import type { ClientCode } from "../../client/Answer.ts"
import { askingBy, makeApiClient, type NoOpinionError } from "../../client/effectClient.ts"
import type { ErrorCode } from "../../domain/ErrorCode.ts"
import { actionRiskLevels, controlTypes } from "../../domain/Opinion.ts"

export class CallerKey extends Context.Service<CallerKey, Redacted.Redacted>()(
  "action-risk/cli/agents/CallerKey"
) {}

const Unanswered = Schema.Struct({ code: Schema.String, message: Schema.String })

const NoOpinionResult = Schema.Struct({
  opinion: Schema.Literal("none"),
  ...Unanswered.fields,
  next: Schema.String
})

const assessAction = Tool.make("assess_action", {
  description:
    "Ask how risky an action is before you take it. State as many fields as you know: what is left out is assumed, and never as harmless. The answer is an opinion with a level, reasons and a recommended control. It authorizes nothing. Where there is no opinion, hand over to a person: the risk is unknown, never low.",
  parameters: AssessmentRequest,
  success: Schema.Struct({ opinion: Schema.Literals(["full", "partial"]), assessment: AssessmentResponse }),
  failure: NoOpinionResult,
  failureMode: "return",
  dependencies: [CallerKey]
})
  .annotate(Tool.Title, "Assess the risk of an action")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, false)
  // Each call is a new request: two equal payments count as two payments in the 24-hour sums.
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)
  .annotate(Tool.Strict, true)

const explainAssessment = Tool.make("explain_assessment", {
  description:
    "Every rule that evaluated an assessment, with its conditions and the values that each one saw. Needs a key with the scope explain.",
  parameters: Schema.Struct({ assessment_id: Uuid }),
  success: AssessmentExplanation,
  failure: Unanswered,
  failureMode: "return",
  dependencies: [CallerKey]
})
  .annotate(Tool.Title, "Explain an assessment")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.OpenWorld, false)
  .annotate(Tool.Strict, true)

const listAssessments = Tool.make("list_assessments", {
  description: "The assessed actions of the organization, newest first. Needs a key with the scope read.",
  parameters: Schema.Struct({ ...pageParameters("actions"), ...filterParameters("actions") }),
  success: ActionList,
  failure: Unanswered,
  failureMode: "return",
  dependencies: [CallerKey]
})
  .annotate(Tool.Title, "List assessed actions")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.OpenWorld, false)
  .annotate(Tool.Strict, true)

const tools = Toolkit.make(assessAction, explainAssessment, listAssessments)

/**
 * The code given by the service or, if it gave none, the code that the other client uses. A new kind of error does not compile until it is
 * handled here.
 */
const codeOf = (error: NoOpinionError): ErrorCode | ClientCode => {
  switch (error._tag) {
    case "TimeoutError":
      return "TIMED_OUT"
    case "HttpClientError":
      return error.reason._tag === "TransportError" ? "UNREACHABLE" : "NOT_UNDERSTOOD"
    case "NotUnderstood":
    case "SchemaError":
      return "NOT_UNDERSTOOD"
    default:
      return error.code
  }
}

const unanswered = (error: NoOpinionError) => ({ code: codeOf(error), message: error.message })

const noOpinionOf = (error: NoOpinionError): typeof NoOpinionResult.Encoded => ({
  opinion: "none",
  ...unanswered(error),
  next: "Hand this action over to a person. The risk is unknown, never low."
})

/** The key of the current request. */
const SentKey = Context.Reference<Redacted.Redacted | null>("action-risk/cli/agents/SentKey", {
  defaultValue: () => null
})

const sentKey = Effect.flatMap(SentKey, (key) =>
  key === null ? Effect.die(new Error("a call without an API key is not assessed")) : Effect.succeed(key)
)

const asCaller = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CallerKey> =>
  Effect.flatMap(CallerKey, (key) => Effect.provideService(request, SentKey, key))

const listed = (uri: string, description: string, list: ReadonlyArray<string>) =>
  McpServer.resource({
    uri: `action-risk://${uri}`,
    name: uri,
    description,
    mimeType: "application/json",
    content: Effect.succeed(JSON.stringify(list))
  })

const requestFields = McpServer.resource({
  uri: "action-risk://request-fields",
  name: "request-fields",
  description: "The JSON Schema of an assessment request.",
  mimeType: "application/schema+json",
  content: Effect.sync(() => JSON.stringify(Schema.toJsonSchemaDocument(AssessmentRequest)))
})

/** `serviceUrl`: the address of the API. The transport provides the key of each request. */
export const mcpRegistrations = Effect.fnUntraced(function* (serviceUrl: string) {
  const client = yield* makeApiClient({ baseUrl: serviceUrl, key: sentKey })
  const risk = askingBy(client, {})
  const handlers = tools.toLayer({
    assess_action: (action) => asCaller(risk.ask(action)).pipe(Effect.mapError(noOpinionOf)),
    explain_assessment: (params) =>
      asCaller(client.explanations.explainAssessment({ params })).pipe(Effect.mapError(unanswered)),
    list_assessments: (query) =>
      asCaller(client.actions.listActions({ query })).pipe(Effect.mapError(unanswered))
  })
  const assessment = McpServer.resource`action-risk://assessments/${Uuid}`({
    name: "assessment",
    description: "One assessment with its evidence. Needs a key with the scope read.",
    mimeType: "application/json",
    content: (_, assessmentId) =>
      asCaller(
        client.assessments.getAssessment({ params: { assessment_id: assessmentId }, headers: {} })
      ).pipe(Effect.map((found) => JSON.stringify(found)))
  })
  return Layer.mergeAll(
    McpServer.toolkit(tools).pipe(Layer.provide(handlers)),
    listed("levels", "The levels of action risk, mildest first.", actionRiskLevels),
    listed("controls", "The recommended controls, mildest first.", controlTypes),
    requestFields,
    assessment
  )
})
