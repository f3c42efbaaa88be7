/** Every lint that looks at working files: at each on its own, and at all of them together. */

import type { Numbers } from "../../scoring/Model.ts"
import { type Finding, inFile } from "../Problem.ts"
import { checkRuleNames } from "../readRules/checkSet.ts"
import type { Root } from "../readTree.ts"
import { checkCasesBeside } from "./cases/casesBeside.ts"
import { checkDuplicateCases } from "./cases/duplicateCases.ts"
import { type Inquiry, inquire } from "./conditions/Inquiry.ts"
import { checkMeaning } from "./conditions/meaning.ts"
import type { Examined } from "./examine.ts"
import { checkSchemaLine } from "./files/schemaLine.ts"
import { checkDuplicateCodes } from "./rules/duplicateCodes.ts"
import { checkMisses } from "./words/missingMisses.ts"
import { checkRecommendations } from "./words/unknownRecommendations.ts"

/** What lints know besides the files that they look at; each null where it cannot be read, and nothing is said of it. */
export interface Background {
  /** They decide which facts can be together. */
  readonly numbers: Numbers | null
  /** Codes that are explained somewhere. */
  readonly recommendations: ReadonlyArray<string> | null
}

const lintFile = (root: Root, one: Examined, inquiry: Inquiry | null): ReadonlyArray<Finding> => [
  ...one.findings,
  ...inFile(one.file, [
    ...(one.source === null ? [] : checkSchemaLine(root, one.file)),
    ...checkMisses(one),
    ...checkDuplicateCases(one.cases ?? []),
    ...(one.ladder === undefined || inquiry === null ? [] : checkMeaning(one.ladder, inquiry))
  ])
]

export const lintFiles = (
  root: Root,
  examined: ReadonlyArray<Examined>,
  background: Background
): ReadonlyArray<Finding> => {
  const { numbers, recommendations } = background
  const inquiry = numbers === null ? null : inquire(numbers)
  return [
    ...examined.flatMap((one) => lintFile(root, one, inquiry)),
    ...checkDuplicateCodes(examined),
    ...checkRuleNames(
      examined.flatMap(({ file, ladder }) =>
        (ladder?.rules ?? []).map(({ name }, index) => ({ name, file, index }))
      )
    ),
    ...checkRecommendations(examined, recommendations),
    ...checkCasesBeside(examined)
  ]
}
