/** The flags and arguments that commands of every kind share: --json, --format, --mode, paths, whole numbers. */

import { Effect } from "effect"
import { Argument, CliError, Flag, Param, Primitive } from "effect/cli"
import { modes } from "../domain/Caller.ts"

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON document and nothing else"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

/** `--format`: how findings are printed, for people or for the tool that shows them in a review. */
export const formats = ["pretty", "sarif", "github", "markdown"] as const
export type Format = (typeof formats)[number]

export const formatFlag = Flag.Literals("format", formats).pipe(
  Flag.withDescription(
    "For people; as SARIF 2.1.0; as GitHub annotations; or as a Markdown table for a pull request"
  ),
  Flag.withDefault("pretty")
)

/** How a command that finds something prints it. */
export interface OutputOptions {
  readonly json: boolean
  readonly format: Format
}

/** `--mode live|test`. */
export const modeFlag = Flag.Literals("mode", modes).pipe(Flag.withDescription("Live or test assessments"))

/**
 * The path of a file or a folder exactly as the operator typed it, `-` included. Shells complete it.
 * The library's own path type makes paths absolute, which would change error messages and the meaning of `-`.
 */
const asTyped: Primitive.Primitive<string> = Object.assign(Object.create(Primitive.Path("either")), {
  parse: Primitive.String.parse
})

export const pathArgument = (name: string): Argument.Argument<string> =>
  Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: asTyped, typeName: "path" })

export const pathFlag = (name: string, metavar: string): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: asTyped, typeName: metavar })

/**
 * A flag that takes a whole number between two others.
 * `expected` completes the sentence "expected …".
 */
export const integerFlag = (
  name: string,
  min: number,
  max: number,
  expected = `a whole number from ${min} to ${max}`
) =>
  Flag.Int(name).pipe(
    Flag.mapEffect((value) =>
      value >= min && value <= max
        ? Effect.succeed(value)
        : Effect.fail(
            new CliError.InvalidValue({ option: name, value: String(value), expected, kind: "flag" })
          )
    )
  )
