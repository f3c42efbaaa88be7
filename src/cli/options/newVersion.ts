/** `<version>` of a release that is about to be made. */

import { Argument } from "effect/cli"
import { SemVer } from "../../rules/files/vocabulary.ts"

export const newVersion = Argument.String("version").pipe(
  Argument.withDescription("The version to release; the files state it already"),
  Argument.withSchema(SemVer)
)
