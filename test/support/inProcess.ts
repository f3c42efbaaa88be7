/** Runs `action-risk` in this process, with everything that an operator sees: `actionRisk.ts` starts a process for it, which takes longer. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Sink, Stdio, Stream } from "effect"
import { Console as NodeConsole } from "node:console"
import { Writable } from "node:stream"
import { commandTree } from "../../src/cli/commandTree.ts"
import { errorLine, exitOf, terminalConsole } from "../../src/cli/exit.ts"
import { OpenRules } from "../../src/cli/rules/subject.ts"
import { commandLine } from "../../src/cli/run.ts"
import { AppConfig } from "../../src/config.ts"
import type { Finished, RunOptions } from "./actionRisk.ts"
import { openOnce } from "./openedRulebook.ts"
import { rulesMemoMap } from "./openedRules.ts"

// Every command is loaded before the time of a test runs.
void (await commandTree())

/** Commands share the opened rules, and nothing else. */
export const actionRisk = async (
  args: ReadonlyArray<string>,
  { env = {}, input = "" }: Pick<RunOptions, "env" | "input"> = {}
): Promise<Finished> => {
  const [stdout, stderr] = [new Collector(), new Collector()]
  const stdio = Stdio.layerTest({
    stdin: Stream.make(Buffer.from(input)),
    stdout: () => Sink.forEach((bytes) => Effect.sync(() => stdout.write(bytes)))
  })
  const command = await commandLine(args)
  const exit = await Effect.runPromiseExit(
    command.pipe(
      Effect.provide([AppConfig.layerFrom({ ...surroundings, ...env }), stdio]),
      Effect.provide(NodeServices.layer),
      Effect.provideService(Console.Console, terminalConsole(new NodeConsole(stdout, stderr))),
      Effect.provideService(OpenRules, openOnce),
      Effect.provideService(Layer.CurrentMemoMap, rulesMemoMap)
    )
  )
  const { code, line } = exitOf(exit)
  if (line !== null) stderr.write(`${errorLine(line)}\n`)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** The folder cannot be created, so no command uses a database unless its test names one. */
const surroundings = { LOG_FORMAT: "json", DATA_DIR: "/dev/null/x" }

class Collector extends Writable {
  readonly #chunks: Array<Buffer> = []
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }
  text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}
