/** Decodes one rule file by its schema; unknown keys are refused and every problem is listed. */

import { Result, Schema } from "effect"
import { explainIssue } from "./decodeFile/explainIssue.ts"
import { inFile } from "./Problem.ts"
import type { Read } from "./Read.ts"
import type { SourceFile } from "./SourceFile.ts"

export const decodeFile = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  { file, json }: SourceFile
): Read<S["Type"]> =>
  Schema.decodeUnknownResult(schema)(json, { errors: "all", onExcessProperty: "error" }).pipe(
    Result.mapError(({ issue }) => inFile(file, explainIssue(issue, json)))
  )
