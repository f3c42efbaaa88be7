/** A file or a folder as it was typed, `-` too: shells complete it, and the command opens it. */

import { Argument, Flag, Param, Primitive } from "effect/cli"

/** The library's own paths are made absolute, which would change what messages say back and what `-` means. */
const asTyped: Primitive.Primitive<string> = Object.assign(Object.create(Primitive.Path("either")), {
  parse: Primitive.String.parse
})

export const pathArgument = (name: string): Argument.Argument<string> =>
  Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: asTyped, typeName: "path" })

export const pathFlag = (name: string, metavar: string): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: asTyped, typeName: metavar })
