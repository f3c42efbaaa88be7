/** A name that is none of those that exist: wrong usage, with the nearest one or the way to the list. */

import { CliError } from "effect/cli"
import { didYouMean } from "../rules/nearestName.ts"
import { wrongUsage } from "./wrongUsage.ts"

interface Unknown {
  /** The command's words below the root. */
  readonly command: string
  readonly argument: string
  readonly written: string
  readonly known: ReadonlyArray<string>
  /** The command that prints the known ones. */
  readonly list: string
}

export const unknownName = ({ argument, command, known, list, written }: Unknown) => {
  const spelled = known.find((name) => name.toLowerCase() === written.toLowerCase())
  const { hint } = didYouMean(spelled ?? written, known)
  return wrongUsage(
    command,
    new CliError.InvalidValue({
      option: argument,
      value: written,
      expected: `one of those that ${list} prints${hint}`,
      kind: "argument"
    })
  )
}
