/**
 * The gate's answer about one call, without a framework: the step of the agent, and why.
 *
 *     npx node examples/agents/try-gate.ts TOOL '{"argument":"value"}'
 *
 * The service and the key come from ACTION_RISK_URL and ACTION_RISK_KEY, or from the owner's folder.
 */

import { toolGate } from "../../src/agents/frameworks.ts"

const [tool = "", input = "{}"] = process.argv.slice(2)
const gate = toolGate({ agentId: "support-bot" })
const { reason, step } = await gate.check({ tool, input })
console.log(`${step}: ${reason}`)
