/** A request given to a command: from a file, or as a tool call in flags. */

import { Effect, Result } from "effect"
import { type Command, Flag } from "effect/cli"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { questionAboutTool, type ToolCallAsked } from "../client/toolQuestion.ts"
import { environments } from "../domain/Action.ts"
import type { Json } from "../json/json.ts"
import { strictJson } from "../json/strictJson.ts"
import { missingArgument, wrongFlag, type WrongUsage } from "./commandFailures.ts"
import { everyProblem, readRequestFile } from "./operatorFiles.ts"
import { elseNull, textFlag } from "./flags.ts"

export const callFlags = {
  tool: elseNull(textFlag("tool", "name"), "Instead of a file: the name of a tool that is called"),
  arguments: elseNull(textFlag("arguments", "json"), "The arguments of the tool, as JSON (default: none)"),
  shell: elseNull(textFlag("shell", "command"), "Instead of a file: a command that a shell runs"),
  environment: elseNull(
    Flag.Literals("environment", environments),
    "Where the tool or the command runs (default: production)"
  )
}

type StatedCall = Command.Command.Config.Infer<typeof callFlags>

/** The tool call in the flags, or what is wrong with them. Null if there is none. */
const callIn = ({
  arguments: stated,
  environment,
  shell,
  tool
}: StatedCall): Result.Result<ToolCallAsked | null, WrongUsage> => {
  const place = environment !== null && { environment }
  if (shell !== null)
    return tool === null && stated === null
      ? Result.succeed({ name: "Bash", arguments: { command: shell }, ...place })
      : Result.fail(wrongFlag("shell", "", "used without --tool and --arguments"))
  if (tool === null)
    return stated === null
      ? Result.succeed(null)
      : Result.fail(wrongFlag("arguments", "", "used with --tool"))
  if (stated === null) return Result.succeed({ name: tool, ...place })
  const json = strictJson(Buffer.from(stated))
  return Result.isFailure(json)
    ? Result.fail(wrongFlag("arguments", "", `JSON: ${json.failure}`))
    : Result.succeed({ name: tool, arguments: json.success.value, ...place })
}

/** The request in `file` or the tool call in the flags, exactly one of which must be given. */
export const readStatedRequest = Effect.fnUntraced(function* (file: string | null, flags: StatedCall) {
  const call = callIn(flags)
  if (Result.isFailure(call)) return yield* call.failure
  if (call.success === null) {
    if (flags.environment !== null)
      return yield* wrongFlag("environment", flags.environment, "used with --tool or --shell")
    if (file === null) return yield* missingArgument("file.json")
    return yield* readRequestFile(file)
  }
  if (file !== null) return yield* wrongFlag("tool", call.success.name, "used without a file")
  // Invariant: the arguments are JSON, and the request reader checks the rest.
  const request = readActionRequest(questionAboutTool(call.success) as unknown as Json, false)
  return Result.isFailure(request)
    ? yield* wrongFlag("tool", call.success.name, everyProblem(request.failure))
    : request.success
})
