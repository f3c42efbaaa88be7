/** One record per verb, from which the parser, the help, docs/cli.md, the completions and the tests of `--json` are made. */

import type * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Context, Effect, type Schema } from "effect"
import { CliError, Command } from "effect/cli"
import type { AppConfig } from "../config.ts"
import { switchFlag } from "./flags.ts"
import { documentOf } from "./jsonShapes.ts"
import { withNotice } from "./progress.ts"
import { currentTerminal, type Terminal } from "./Terminal.ts"
import { FindingsExit, WrongUsage, refuse } from "./commandFailures.ts"

/** The texts about a verb in help and documents. */
export interface VerbHelp {
  /** One imperative sentence without a full stop. */
  readonly about: string
  /** Completes the sentence "Ends with 1 when …". */
  readonly fails: string
  /** The environment variables that it reads, except those for logs and colors. */
  readonly reads?: string
  /** The purpose of each example, keyed by its command line or by the words after the verb. */
  readonly examples: Readonly<Record<string, string>>
}

/** The texts that differ between rules and policies, for a verb that exists for both. */
export type NounHelp = Omit<VerbHelp, "fails">

export interface VerbFacts extends VerbHelp {
  /** The shape of the document printed by `--json`. Without a shape, there is no such flag. */
  readonly prints?: Schema.Constraint
  /** The unit for which the verb prints a document per line, if it does not print a single document at the end. */
  readonly printsForEach?: string
}

export const FactsOfVerb = Context.Reference<VerbFacts | null>("action-risk/cli/FactsOfVerb", {
  defaultValue: () => null
})

/** The final output of a verb. */
export interface Printed<Value> {
  /** The value described by `prints`. */
  readonly json: () => Value
  /** For people; null prints nothing. */
  readonly text: (screen: Terminal) => string | null
  /** For people too, but on standard error, so that a script can use the text. */
  readonly note?: string
  /** False if the verb found what it looks for: the exit code is 1. */
  readonly ok?: boolean
  /** Why the verb could not do everything it was asked to do, in one sentence: the exit code is 1. */
  readonly refused?: string | null
}

type Config = Command.Command.Config

/** The services that the process provides to every verb. */
export type Surroundings = AppConfig | NodeServices.NodeServices

type Options<Takes extends Config> = Command.Command.Config.Infer<Takes> & { readonly json: boolean }

interface Verb<Takes extends Config, Shape extends Schema.Constraint> extends VerbFacts {
  /** Its arguments and flags, without `--json`. */
  readonly takes: Takes
  /** It can keep the process busy for more than a second. */
  readonly isBlocking?: true
  readonly prints?: Shape
  /** Returns nothing if it has printed everything itself. `words`: its name on the command line, such as `rules check`. */
  readonly run: (
    options: Options<Takes>,
    words: string
  ) => Effect.Effect<Printed<Shape["Type"]> | void, unknown, Surroundings>
}

const jsonFlag = ({ printsForEach }: VerbFacts) =>
  switchFlag(
    "json",
    printsForEach === undefined
      ? "Print one JSON document and nothing else"
      : `Print one JSON document on a line for each ${printsForEach} and nothing else`
  )

/** `shape`: that of the document, if one is requested. */
const print = Effect.fnUntraced(function* (printed: Printed<unknown>, shape: Schema.Constraint | undefined) {
  const { note, ok = true, refused = null } = printed
  const text =
    shape === undefined
      ? printed.text(currentTerminal())
      : JSON.stringify(documentOf(shape, printed.json()), null, 2)
  if (text !== null) yield* Console.log(text)
  if (note !== undefined && shape === undefined) yield* Console.error(note)
  if (refused !== null) return yield* refuse(refused)
  if (!ok) return yield* new FindingsExit()
})

/** Prints a service's answer unchanged. `ok`: see `Printed`. */
export const printAsIs = Effect.fnUntraced(function* (answer: unknown, ok: boolean) {
  yield* Console.log(JSON.stringify(answer, null, 2))
  if (!ok) return yield* new FindingsExit()
})

const exampleOf = (words: string, [line, description]: readonly [string, string]) => ({
  command: line.includes("action-risk ") ? line : `action-risk ${words} ${line}`.trimEnd(),
  description
})

/** Builds the command of a record. `words`: its name on the command line. */
export const verb =
  <const Takes extends Config, Shape extends Schema.Constraint = typeof Schema.Void>(
    record: Verb<Takes, Shape>
  ) =>
  (words: string): Command.Command<string, never, {}, unknown, Surroundings> =>
    Command.make(
      words.slice(words.indexOf(" ") + 1),
      { takes: record.takes, ...(record.prints === undefined ? {} : { json: jsonFlag(record) }) },
      ({ json = false, takes }) =>
        record.run({ ...takes, json } as Options<Takes>, words).pipe(
          withNotice(process.stderr, `action-risk ${words}`, record.isBlocking === true),
          Effect.flatMap((printed) =>
            printed === undefined ? Effect.void : print(printed, json ? record.prints : undefined)
          ),
          Effect.mapError((error) => (error instanceof WrongUsage ? usageError(words, error) : error))
        )
    ).pipe(
      Command.withDescription(record.about),
      Command.withExamples(Object.entries(record.examples).map((example) => exampleOf(words, example))),
      Command.annotate(FactsOfVerb, record)
    )

const usageError = (words: string, { problem }: WrongUsage) =>
  new CliError.ShowHelp({ commandPath: ["action-risk", ...words.split(" ")], errors: [problem] })
