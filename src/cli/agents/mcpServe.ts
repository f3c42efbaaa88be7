/** `action-risk mcp serve`: the service as a tool of agents, by the Model Context Protocol over standard input and output. */

import { Effect, Layer, Schema } from "effect"
import { McpProtocol, McpServer, Tool, Toolkit } from "effect/ai"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { AssessmentRequest } from "../../api/AssessmentRequest.ts"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { ClientCode } from "../../client/Answer.ts"
import { makeRiskClient, type NoOpinionError } from "../../client/effectClient.ts"
import { AppConfig } from "../../config.ts"
import type { ErrorCode } from "../../domain/ErrorCode.ts"
import { CommandRefused } from "../commandFailures.ts"
import { version } from "../version.ts"

const NoOpinionResult = Schema.Struct({
  opinion: Schema.Literal("none"),
  code: Schema.String,
  message: Schema.String,
  next: Schema.String
})

const assessAction = Tool.make("assess_action", {
  description:
    "Ask how risky an action is before you take it. State as many fields as you know: what is left out is assumed, and never as harmless. The answer is an opinion with a level, reasons and a recommended control. It authorizes nothing. Where there is no opinion, hand over to a person: the risk is unknown, never low.",
  parameters: AssessmentRequest,
  success: Schema.Struct({ opinion: Schema.Literals(["full", "partial"]), assessment: AssessmentResponse }),
  failure: NoOpinionResult,
  failureMode: "return"
})
  .annotate(Tool.Title, "Assess the risk of an action")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)
  .annotate(Tool.Strict, true)

const tools = Toolkit.make(assessAction)

/** The words of the other client for what the service did not say itself. A new kind of error is looked at here before it compiles. */
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

const noOpinionOf = (error: NoOpinionError): typeof NoOpinionResult.Encoded => ({
  opinion: "none",
  code: codeOf(error),
  message: error.message,
  next: "Hand this action over to a person. The risk is unknown, never low."
})

const handlers = tools.toLayer(
  Effect.gen(function* () {
    const { serviceKey, serviceUrl } = yield* AppConfig
    if (serviceKey === null)
      return yield* new CommandRefused({ message: "no key to ask with; set ACTION_RISK_KEY to one" })
    const client = yield* makeRiskClient({ baseUrl: serviceUrl, key: serviceKey })
    return { assess_action: (action) => Effect.mapError(client.ask(action), noOpinionOf) }
  })
)

const server = McpServer.layerStdio({
  name: "action-risk",
  version,
  protocols: [
    McpProtocol.v2026_07_28,
    McpProtocol.v2025_11_25,
    McpProtocol.v2025_06_18,
    McpProtocol.v2025_03_26,
    McpProtocol.v2024_11_05
  ],
  registrations: McpServer.toolkit(tools).pipe(Layer.provide(handlers))
})

const serveMcp = Command.make("serve", {}, () =>
  Layer.launch(server).pipe(Effect.provide(FetchHttpClient.layer))
).pipe(
  Command.withDescription("Offer the service to an agent as an MCP tool, over standard input and output"),
  Command.withExamples([
    {
      command: "action-risk mcp serve",
      description: "As the command of an MCP server in the agent's settings"
    }
  ])
)

export const mcpCommand = Command.make("mcp").pipe(
  Command.withDescription(
    "Stand between agents and the service, or their tools, by the Model Context Protocol"
  ),
  Command.withSubcommands([serveMcp])
)
