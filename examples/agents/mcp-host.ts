/**
 * The smallest host of an MCP server, with the gate in front of it: what runs, and what stops at a person?
 *
 *     npx node examples/agents/mcp-host.ts TOOL '{"argument":"value"}' [yes]
 *
 * The service and the key come from ACTION_RISK_URL and ACTION_RISK_KEY; without a key the gate answers by itself. The last word is what
 * a person would answer, if asked.
 */

import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"

const [name = "", given = "{}", answer = "no"] = process.argv.slice(2)
const here = import.meta.dirname
const server = [process.execPath, join(here, "shop-mcp-server.ts")]
const agent = join(here, "../../bin/action-risk-agent.js")
const who = process.env["ACTION_RISK_KEY"] === undefined ? ["--local"] : []
const words = [agent, "mcp", "gate", "--server", "shop", ...who, "--", ...server]
const gate = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] })
const say = (message: object) => gate.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

createInterface({ input: gate.stdout }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (id === "start")
    say({ id: "call", method: "tools/call", params: { name, arguments: JSON.parse(given) } })
  else if (method === "elicitation/create") {
    console.log(`a person is asked: ${params.message}`)
    const agrees = { action: "accept", content: { go_ahead: true } }
    say({ id, result: answer === "yes" ? agrees : { action: "decline" } })
  } else if (id === "call") {
    console.log(result.content[0].text)
    gate.stdin.end()
  }
})

say({
  id: "start",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: "example", version: "1" }
  }
})
