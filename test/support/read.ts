/** What was read of rule files; the findings as the failure's message where it could not be. */

import { Result } from "effect"
import { renderFinding } from "../../src/rules/Problem.ts"
import type { Read } from "../../src/rules/Read.ts"

export const read = <A>(result: Read<A>): A =>
  Result.getOrThrowWith(result, (findings) => new Error(findings.map(renderFinding).join("\n")))
