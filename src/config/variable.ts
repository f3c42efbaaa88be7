/** One environment variable: its name, how its text is read, and the form that is accepted. */

import { Config, Effect, Option, Schema } from "effect"

/** A variable that stops the start. The message is one line and fits every variable alike. */
export class WrongVariable extends Schema.TaggedError<WrongVariable>()("WrongVariable", {
  name: Schema.String,
  problem: Schema.String,
  accepted: Schema.String
}) {
  override get message(): string {
    return `${this.name} ${this.problem}; give ${this.accepted}`
  }
}

export interface Variable<A> {
  readonly name: string
  /** Completes the sentence "give …". */
  readonly accepted: string
  /** Undefined where the text does not fit. */
  readonly read: (text: string) => A | undefined
  /** The value stays out of every message. */
  readonly secret?: true
}

/**
 * None where the variable is unset. A variable that is set to nothing is wrong rather than unset: a secret that was not
 * injected must not quietly become a default.
 */
export const readVariable = <A>(
  variable: Variable<A>
): Effect.Effect<Option.Option<A>, WrongVariable | Config.ConfigError> =>
  Effect.flatMap(Config.option(Config.String(variable.name)), (found) => {
    if (Option.isNone(found)) return Effect.succeedNone
    const value = found.value.trim() === "" ? undefined : variable.read(found.value)
    return value === undefined ? Effect.fail(refusal(variable, found.value)) : Effect.succeedSome(value)
  })

const refusal = ({ accepted, name, secret }: Variable<unknown>, text: string): WrongVariable =>
  new WrongVariable({
    name,
    problem: text.trim() === "" ? "is empty" : secret ? "is not of the accepted form" : `is ${shown(text)}`,
    accepted
  })

/** On one line and not endless, whatever someone exported. */
const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
