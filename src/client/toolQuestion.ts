/** A question about the call of a tool, in the shape in which hosts and SDKs have it. */

import type { ProposedAction } from "./Assessment.ts"

/** The call, and what else is known of it. Its environment is production where it is left out: the cautious case. */
export interface ToolCallAsked extends Partial<Omit<ProposedAction, "action_type">> {
  readonly name: string
  readonly arguments?: unknown
  /** The name of the server that has the tool. Absent: it is part of the name, or unknown. */
  readonly server?: string | undefined
  /** The server's claims about the tool, as in `tools/list`. They only raise. */
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
