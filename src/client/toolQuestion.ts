/** A question about a tool call, in the format of hosts and SDKs. */

import type { ProposedAction } from "./Assessment.ts"

/** The call, and whatever else is known about it. If the environment is omitted, it is production, the cautious case. */
export interface ToolCallAsked extends Partial<Omit<ProposedAction, "action_type">> {
  readonly name: string
  readonly arguments?: unknown
  /** The name of the server that has the tool. Absent: it is part of the name, or unknown. */
  readonly server?: string | undefined
  /** The server's claims about the tool, as in `tools/list`. They can only raise the risk. */
  readonly annotations?: unknown
  readonly inputSchema?: unknown
}

/** `metadata` keeps its other members. */
export const questionAboutTool = ({
  annotations,
  arguments: stated,
  environment = "production",
  inputSchema,
  metadata,
  name,
  server,
  ...fields
}: ToolCallAsked): ProposedAction => ({
  action_type: server === undefined || name.startsWith("mcp__") ? name : `mcp__${server}__${name}`,
  environment,
  ...fields,
  metadata: {
    ...metadata,
    tool_call: {
      name,
      arguments: stated ?? {},
      ...(server === undefined ? {} : { server }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(inputSchema === undefined ? {} : { input_schema: inputSchema })
    }
  }
})
