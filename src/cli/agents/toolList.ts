/** Where a list of tools can come from: a file, or an MCP server that the command starts. */

import { Effect } from "effect"
import { Argument } from "effect/cli"
import { processEnvironment } from "../../agents/settings.ts"
import { escapeInvisible } from "../../foreignText.ts"
import { agentFileBytesMax } from "../../limits.ts"
import { missingArgument, refuse, wrongArgument } from "../commandFailures.ts"
import { version } from "../version.ts"
import { flagOr, pathArgument, switchFlag, textFlag } from "../flags.ts"
import { readJsonFile, refuseFile } from "../operatorFiles.ts"
import { listMcpTools } from "../../agents/mcp/listMcpTools.ts"
import { describedTools } from "../../agents/scaffoldTools.ts"

export const toolListFlags = {
  words: pathArgument(
    "tools.json",
    "The answer of an MCP server to tools/list, or an OpenAPI document; - is standard input. With --mcp: the command of the server, behind --"
  ).pipe(Argument.variadic()),
  mcp: switchFlag("mcp", "Start an MCP server, ask it for its tools, and stop it"),
  server: flagOr(textFlag("server", "shop"), "server", "The name under which the host knows the MCP server")
}

interface ToolListOptions {
  readonly words: ReadonlyArray<string>
  readonly mcp: boolean
  readonly server: string
}

const fromServer = Effect.fnUntraced(function* (command: ReadonlyArray<string>, server: string) {
  const listed = yield* Effect.promise((signal) =>
    listMcpTools({ command, env: processEnvironment, signal, version })
  )
  const made = "tools" in listed ? describedTools(listed, server) : undefined
  if (made !== undefined) return made
  const problem = "problem" in listed ? listed.problem : "lists no tools"
  return yield* refuse(escapeInvisible(`the server ${problem}`))
})

export const readToolList = Effect.fnUntraced(function* ({ mcp, server, words }: ToolListOptions) {
  const [file, ...more] = words
  if (file === undefined) return yield* missingArgument("tools.json")
  if (mcp) return yield* fromServer(words, server)
  if (more.length > 0)
    return yield* wrongArgument(
      "tools.json",
      more.join(" "),
      "one file; put the command of a server after --mcp --"
    )
  const { value } = yield* readJsonFile(file, agentFileBytesMax)
  return (
    describedTools(value, server) ??
    (yield* refuseFile(file, "is neither a list of MCP tools nor an OpenAPI document"))
  )
})
