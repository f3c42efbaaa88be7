/** Programs that host MCP servers: how each is configured with a server, and how it names the server's tools to its model. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Ended, genuine, type Home, runIn } from "./programs.ts"
import type { ScriptedModel } from "./scriptedModel.ts"

/** How a host starts a server, or a gate in front of one. */
export interface ServerStart {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

export interface McpCall {
  /** The server's name in the host's settings. */
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export type McpHost = "claude-code" | "codex"

/** Claude Code offers the tools of servers later, and after a search for them. */
const atOnce = { ENABLE_TOOL_SEARCH: "false", MCP_CONNECTION_NONBLOCKING: "false" }

const told: Readonly<Record<McpHost, (home: Home, call: McpCall, start: ServerStart) => Array<string>>> = {
  "claude-code": (home, { server, tool }, start) => {
    const config = join(home.folder, "mcp.json")
    writeFileSync(config, JSON.stringify({ mcpServers: { [server]: { type: "stdio", ...start } } }))
    return ["--mcp-config", config, "--strict-mcp-config", "--allowedTools", `mcp__${server}__${tool}`]
  },
  // Codex begins without a server that is slow to start, unless it is required.
  codex: (_, { server }, { args, command, env }) => {
    const table = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    const settings = `{required=true,command=${JSON.stringify(command)},args=${JSON.stringify(args)},env={${table.join(",")}}}`
    return ["-c", `mcp_servers.${server}=${settings}`]
  }
}

export const mcpHosts = Object.keys(told) as ReadonlyArray<McpHost>

/** Lets the model of this host want one call of a server's tool. The host approves every call by itself. */
export const callByHost = (
  host: McpHost,
  model: ScriptedModel,
  home: Home,
  call: McpCall,
  start: ServerStart
): Promise<Ended> => {
  const { input, server, tool } = call
  model.want([
    { tool: `mcp__${server}__${tool}`, input },
    // Codex spells names in its own way.
    { tool: tool.replaceAll("-", "_"), namespace: `mcp__${server}`, input }
  ])
  const { args, env = {}, program } = genuine[host].start(model.url, home)
  return runIn(home, program, [...args, ...told[host](home, call, start)], { ...env, ...atOnce })
}
