/** Returns the result of reading rule files; fails with the findings as the message if they could not be read. */

import { Result } from "effect"
import { findingLine, type Read } from "../../src/rules/Finding.ts"

export const read = <A>(result: Read<A>): A =>
  Result.getOrThrowWith(result, (findings) => new Error(findings.map(findingLine).join("\n")))
