/** Every lint that looks at working files: at each on its own, and at all of them together. */

import { Result, type Schema } from "effect"
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { isRecord } from "../../json/json.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { type FileProblem, type Finding, inFile } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { RecommendationsFile } from "../files/policyFiles.ts"
import { readSource, type Root } from "../files/readTree.ts"
import { statedText } from "../files/releaseDocument.ts"
import { checkRuleNames } from "../files/ruleFiles.ts"
import { didYouMean } from "../nearestName.ts"
import { checkCasesBeside, checkDuplicateCases } from "./caseLints.ts"
import { checkMeaning, type ConditionAnalyzer, makeConditionAnalyzer } from "./conditionLints.ts"
import { type ExaminedFile, fileKindOf } from "./examine.ts"

/** What lints know besides the files that they look at; each null where it cannot be read, and nothing is said of it. */
export interface LintContext {
  /** They decide which facts can be together. */
  readonly numbers: Numbers | null
  /** Codes that are explained somewhere. */
  readonly recommendations: ReadonlyArray<string> | null
}

const lintFile = (
  root: Root,
  one: ExaminedFile,
  inquiry: ConditionAnalyzer | null
): ReadonlyArray<Finding> => [
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
  examined: ReadonlyArray<ExaminedFile>,
  background: LintContext
): ReadonlyArray<Finding> => {
  const { numbers, recommendations } = background
  const inquiry = numbers === null ? null : makeConditionAnalyzer(numbers)
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

/** What lints must know besides the files that they look at. */
const readOrNull = <S extends Schema.ConstraintDecoder<unknown>>(
  root: Root,
  file: string,
  schema: S
): S["Type"] | null => {
  const found = Result.flatMap(readSource(root, join(root, file)), (source) => decodeFile(schema, source))
  return Result.isSuccess(found) ? found.success : null
}

/** With the codes that the files of a policy set explain themselves. */
export const withOwnRecommendations = (
  background: LintContext,
  set: ReadonlyArray<ExaminedFile>
): LintContext => {
  const own = set.find(({ recommendations }) => recommendations !== undefined)?.recommendations
  const { recommendations } = background
  const known = recommendations === null || own === undefined ? null : [...recommendations, ...own]
  return { ...background, recommendations: known }
}

export const readLintContext = (root: Root): LintContext => {
  const explained = readOrNull(root, "rules/recommendations.json", RecommendationsFile)
  return {
    numbers: readOrNull(root, "rules/ruleset.json", RulesetFile),
    recommendations: explained === null ? null : Object.keys(explained.recommendations)
  }
}

/**
 * The second line of every file names its schema, so that editors complete and check it while it is written.
 * `../../../schemas/factor.schema.json`
 */
const relativeSchema = (file: string, schema: string): string =>
  posix.relative(dirname(file), `schemas/${schema}`)

/** Of a file that is JSON. */
const checkSchemaLine = (root: Root, file: string): ReadonlyArray<FileProblem> => {
  const kind = fileKindOf(file)
  if (kind === undefined) return []
  const expected = relativeSchema(file, kind.schema)
  const [, second = ""] = readFileSync(join(root, file), "utf8").split(/\r?\n/, 2)
  const [, stated] = /^\s*"\$schema"\s*:\s*"([^"]*)"\s*,?\s*$/.exec(second) ?? []
  if (stated === expected) return []
  const message =
    stated === undefined
      ? `the second line must be \`"$schema": "${expected}"\``
      : `\`${stated}\` is not the schema of this file, which is \`${expected}\``
  return [{ rule: "missing-schema-line", path: ["$schema"], message, suggestion: `"$schema": "${expected}"` }]
}

/** A code, a typology and a policy rule each have one file. */
const keyOfFile = [
  { place: /^rules\/factors\//, key: "code" },
  { place: /^rules\/typologies\//, key: "name" },
  { place: /^policies\/[^/]+\//, key: "id" }
]

const checkDuplicateCodes = (examined: ReadonlyArray<ExaminedFile>): ReadonlyArray<Finding> =>
  keyOfFile.flatMap(({ key, place }) => {
    const first = new Map<string, string>()
    return examined.flatMap(({ file, source }): ReadonlyArray<Finding> => {
      const code = source === null || !place.test(file) ? "" : statedText(source.json, key)
      if (code === "") return []
      const earlier = first.get(code)
      if (earlier !== undefined) {
        return [
          { rule: "duplicate-code", file, path: [key], message: `\`${code}\` has a file already: ${earlier}` }
        ]
      }
      first.set(code, file)
      return []
    })
  })

/** A policy rule says what it cannot see. Factors and typologies must, or they do not read; frozen policy sets are older. */
const checkMisses = ({ ladder, source }: ExaminedFile): ReadonlyArray<FileProblem> =>
  ladder?.kind === "policy" && isRecord(source?.json) && !("misses" in source.json)
    ? [
        {
          rule: "missing-misses",
          path: ["misses"],
          message: "`misses` is missing: say what the rule cannot see"
        }
      ]
    : []

/** A recommendation is one that is explained somewhere, so that whoever reads the code can look up what to do. */
interface RecommendedCode {
  readonly code: string
  readonly path: FileProblem["path"]
}

/** Every code that a rule file recommends, and where. */
const recommendedIn = (ladder: RuleGroup): ReadonlyArray<RecommendedCode> => {
  const [rule] = ladder.rules
  if (rule === undefined || !("recommendations" in rule.match)) return []
  const { match } = rule
  return match.recommendations.map((code, i) => {
    if (!("effect" in match)) return { code, path: ["recommendations", i] }
    return match.effect === "add_factor"
      ? { code, path: ["then", "add_factor", "recommendations", i] }
      : { code, path: ["then", "add_recommendation", "code"] }
  })
}

/** `known` is null where the file that explains them cannot be read. */
const checkRecommendations = (
  examined: ReadonlyArray<ExaminedFile>,
  known: ReadonlyArray<string> | null
): ReadonlyArray<Finding> =>
  examined.flatMap(({ file, ladder }) =>
    ladder === undefined || known === null
      ? []
      : recommendedIn(ladder)
          .filter(({ code }) => !known.includes(code))
          .map(({ code, path }): Finding => {
            const { hint, suggested } = didYouMean(code, known)
            const place = file.startsWith("rules/") ? "rules/recommendations.json" : "policy.json"
            const instead = hint || `: say in ${place} what it asks`
            return {
              rule: "unknown-code",
              file,
              path,
              message: `unknown recommendation \`${code}\`${instead}`,
              ...suggested
            }
          })
  )
