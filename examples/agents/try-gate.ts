/**
 * What the gate says of one call, before any framework is there: the step of the agent, and why.
 *
 *     npx node examples/agents/try-gate.ts TOOL '{"argument":"value"}'
 *
 * The service and the key come from ACTION_RISK_URL and ACTION_RISK_KEY; the tools are those of `owner/action-risk.tools.json`.
 */

import { toolGate } from "../../src/agents/frameworks.ts"
import { join } from "node:path"

const [tool = "", input = "{}"] = process.argv.slice(2)
const gate = toolGate({ agentId: "support-bot", folder: join(import.meta.dirname, "owner") })
const { reason, step } = await gate.check({ tool, input })
console.log(`${step}: ${reason}`)
