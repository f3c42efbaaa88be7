/** Reads a typology file into its one rule. */

import { Result } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { TypologyFile } from "../files/TypologyFile.ts"
import { inFile } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import type { TypologyRule } from "../Rule.ts"
import type { SourceFile } from "../SourceFile.ts"
import { checkMessage } from "./checkMessage.ts"
import { checkName } from "./checkName.ts"
import { readConditions } from "./readConditions.ts"

export const readTypology = (source: SourceFile): Read<ReadonlyArray<TypologyRule>> => {
  const { conditions, problems: inConditions } = readConditions(source.json, {
    raises: true,
    completeness: false
  })
  return decodeFile(TypologyFile, source).pipe(
    Result.mapError((findings) => [...findings, ...inFile(source.file, inConditions)]),
    Result.flatMap((file) => {
      const [rule] = file.rules
      const [condition = null] = conditions
      const problems = [
        ...checkName("name", file.name, source.name, [rule.event.type]),
        ...checkMessage(file.message),
        ...inConditions
      ]
      const { name, message, floor } = file
      return unless(inFile(source.file, problems), () =>
        condition === null ? [] : [{ name: rule.name, condition, match: { name, message, floor } }]
      )
    })
  )
}
