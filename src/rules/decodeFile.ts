/** Decodes one rule file by its schema; unknown keys are refused and every problem is listed. */

import { Result, Schema, SchemaIssue } from "effect"
import type { Read } from "./Read.ts"
import type { SourceFile } from "./SourceFile.ts"

const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export const decodeFile = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  { file, json }: SourceFile
): Read<S["Type"]> =>
  Schema.decodeUnknownResult(schema)(json, { errors: "all", onExcessProperty: "error" }).pipe(
    Result.mapError(({ issue }) =>
      listIssues(issue).issues.map(({ message, path = [] }) => ({
        file,
        path: path.map((step) => (typeof step === "object" ? step.key : step)),
        message: lowerFirst(message)
      }))
    )
  )
