/** Reads a typology file into its one rule. */

import { Result } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { TypologyFile } from "../files/TypologyFile.ts"
import { inFile, type Problem } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import { readCondition } from "../readCondition.ts"
import type { TypologyRule } from "../Rule.ts"
import type { SourceFile } from "../SourceFile.ts"
import { checkMessage } from "./checkMessage.ts"
import { checkEventType, checkName, eventTypeOf } from "./checkName.ts"

export const readTypology = (source: SourceFile): Read<ReadonlyArray<TypologyRule>> =>
  Result.flatMap(decodeFile(TypologyFile, source), (file) => {
    const [rule] = file.rules
    const { condition, problems: inCondition } = readCondition(rule.conditions, {
      raises: true,
      completeness: false
    })
    const problems: ReadonlyArray<Problem> = [
      ...checkName("name", file.name, source.name),
      ...checkMessage(file.message),
      ...checkEventType(rule.event.type, eventTypeOf(file.name), 0),
      ...inCondition.map(({ path, message }) => ({ path: ["rules", 0, "conditions", ...path], message }))
    ]
    const { name, message, floor } = file
    return unless(inFile(source.file, problems), () =>
      condition === null ? [] : [{ name: rule.name, condition, match: { name, message, floor } }]
    )
  })
