/** What lints must know besides the files that they look at. */

import { join } from "node:path"
import { Result, type Schema } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { RecommendationsFile } from "../files/RecommendationsFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { readSource, type Root } from "../readTree.ts"
import type { Examined } from "./examine.ts"
import type { Background } from "./lintFiles.ts"

const read = <S extends Schema.ConstraintDecoder<unknown>>(
  root: Root,
  file: string,
  schema: S
): S["Type"] | null => {
  const found = Result.flatMap(readSource(root, join(root, file)), (source) => decodeFile(schema, source))
  return Result.isSuccess(found) ? found.success : null
}

/** With the codes that the files of a policy set explain themselves. */
export const withOwn = (background: Background, set: ReadonlyArray<Examined>): Background => {
  const own = set.find(({ recommendations }) => recommendations !== undefined)?.recommendations
  const { recommendations } = background
  const known = recommendations === null || own === undefined ? null : [...recommendations, ...own]
  return { ...background, recommendations: known }
}

export const readBackground = (root: Root): Background => {
  const explained = read(root, "rules/recommendations.json", RecommendationsFile)
  return {
    numbers: read(root, "rules/ruleset.json", RulesetFile),
    recommendations: explained === null ? null : Object.keys(explained.recommendations)
  }
}
