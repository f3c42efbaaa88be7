/** A request as commands take it: from a file, or from flags that state the call of a tool. */

import { Effect, Option, Result } from "effect"
import { CliError, Flag } from "effect/cli"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { questionAboutTool, type ToolCallAsked } from "../client/toolQuestion.ts"
import { environments } from "../domain/Action.ts"
import type { Json } from "../json/json.ts"
import { strictJson } from "../json/strictJson.ts"
import { wrongUsage } from "./commandFailures.ts"
import { everyProblem, readRequestFile } from "./inputFiles.ts"

export const callFlags = {
  tool: Flag.String("tool").pipe(
    Flag.withDescription("Instead of a file: the name of a tool that is called"),
    Flag.withMetavar("name"),
    Flag.optional
  ),
  arguments: Flag.String("arguments").pipe(
    Flag.withDescription("The arguments of the tool, as JSON; none where left out"),
    Flag.withMetavar("json"),
    Flag.optional
  ),
  shell: Flag.String("shell").pipe(
    Flag.withDescription("Instead of a file: a command that a shell runs"),
    Flag.withMetavar("command"),
    Flag.optional
  ),
  environment: Flag.Literals("environment", environments).pipe(
    Flag.withDescription("Where the tool or the command runs: production where left out"),
    Flag.optional
  )
}

type StatedCall = {
  readonly [Name in keyof typeof callFlags]: Option.Option<string>
}

const invalid = (option: string, value: string, expected: string) =>
  new CliError.InvalidValue({ option, value, expected, kind: "flag" })

/** The call in the flags, or what is wrong with them. Null where there is none. */
const callIn = ({
  arguments: stated,
  environment,
  shell,
  tool
}: StatedCall): Result.Result<ToolCallAsked | null, CliError.InvalidValue> => {
  const name = Option.getOrNull(tool)
  const command = Option.getOrNull(shell)
  const place = Option.match(environment, {
    onNone: () => ({}),
    // Invariant: the flag takes nothing else.
    onSome: (one) => ({ environment: one as (typeof environments)[number] })
  })
  if (command !== null)
    return name === null && Option.isNone(stated)
      ? Result.succeed({ name: "Bash", arguments: { command }, ...place })
      : Result.fail(invalid("shell", "", "used without --tool and --arguments"))
  if (name === null)
    return Option.isNone(stated)
      ? Result.succeed(null)
      : Result.fail(invalid("arguments", "", "used with --tool"))
  if (Option.isNone(stated)) return Result.succeed({ name, ...place })
  const json = strictJson(Buffer.from(stated.value))
  return Result.isFailure(json)
    ? Result.fail(invalid("arguments", "", `JSON: ${json.failure}`))
    : Result.succeed({ name, arguments: json.success.value, ...place })
}

/** The request of `file`, or of the call in the flags: exactly one of them is given. */
export const readStatedRequest = Effect.fnUntraced(function* (
  command: string,
  file: string | null,
  flags: StatedCall
) {
  const call = callIn(flags)
  if (Result.isFailure(call)) return yield* wrongUsage(command, call.failure)
  if (call.success === null) {
    if (Option.isSome(flags.environment))
      return yield* wrongUsage(
        command,
        invalid("environment", flags.environment.value, "used with --tool or --shell")
      )
    if (file === null)
      return yield* wrongUsage(command, new CliError.MissingArgument({ argument: "file.json" }))
    return yield* readRequestFile(file)
  }
  if (file !== null)
    return yield* wrongUsage(command, invalid("tool", call.success.name, "used without a file"))
  // Invariant: the arguments are JSON, and the reader of requests checks the rest.
  const request = readActionRequest(questionAboutTool(call.success) as unknown as Json, false)
  return Result.isFailure(request)
    ? yield* wrongUsage(command, invalid("tool", call.success.name, everyProblem(request.failure)))
    : request.success
})
