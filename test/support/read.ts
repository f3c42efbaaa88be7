/** What was read of rule files; the findings as the failure's message where it could not be. */

import { Result } from "effect"
import { findingLine, type Read } from "../../src/rules/Finding.ts"

export const read = <A>(result: Read<A>): A =>
  Result.getOrThrowWith(result, (findings) => new Error(findings.map(findingLine).join("\n")))
