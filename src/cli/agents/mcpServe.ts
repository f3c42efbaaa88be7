/** `action-risk mcp serve`: offers the service as tools for agents, over the Model Context Protocol on standard input and output. */

import { Effect, Layer } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { AppConfig } from "../../config.ts"
import { refuse } from "../commandFailures.ts"
import { version } from "../version.ts"
import { CallerKey, mcpRegistrations } from "./mcpTools.ts"
import { verb } from "../verb.ts"

/** Every request uses the key of the user who started the program. */
const registrations = Layer.unwrap(
  Effect.gen(function* () {
    const { serviceKey, serviceUrl } = yield* AppConfig
    if (serviceKey === null) return yield* refuse("ACTION_RISK_KEY is not set; set it to an API key")
    const caller = McpServer.middleware<{ provides: CallerKey }>()((effect) =>
      Effect.provideService(effect, CallerKey, serviceKey)
    )
    return Layer.provide(yield* mcpRegistrations(serviceUrl), caller.layer)
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
  registrations
})

export const serveMcp = verb({
  about: "Offer the service to an agent as MCP tools, over standard input and output",
  takes: {},
  fails: "no key is set",
  reads: "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  examples: {
    "": "As the command of an MCP server in the agent's settings"
  },
  run: () => Layer.launch(server).pipe(Effect.provide(FetchHttpClient.layer))
})
