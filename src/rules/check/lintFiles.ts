/** Runs every lint over working files: over each file separately, and over all files together. */

import { Result, type Schema } from "effect"
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { isRecord } from "../../json/json.ts"
import { type FileProblem, type Finding, inFile } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { RecommendationsFile } from "../files/policyFiles.ts"
import { readSource, type Root } from "../files/readTree.ts"
import { statedText } from "../files/releaseDocument.ts"
import { checkRuleNames } from "../files/ruleFiles.ts"
import { didYouMean } from "../nearestName.ts"
import { checkCasesBeside, checkDuplicateCases } from "./caseLints.ts"
import { checkMeaning, neverHoldsIn } from "./conditionLints.ts"
import { type ExaminedFile, fileKindOf } from "./examine.ts"
import { lintLexicon } from "./lexiconLints.ts"

/** Other files that lints need. If a part is null because it is unreadable, its lints report nothing. */
export interface LintContext {
  /** True for facts that can occur together, which depends on the numbers. */
  readonly possible: Term | null
  /** The recommendation codes that some file explains. */
  readonly recommendations: ReadonlyArray<string> | null
}

export const lintFiles = (
  root: Root,
  examined: ReadonlyArray<ExaminedFile>,
  { possible, recommendations }: LintContext
): ReadonlyArray<Finding> => {
  const never = possible === null ? null : neverHoldsIn(possible)
  return [
    ...examined.flatMap((one) => [
      ...one.findings,
      ...inFile(one.file, [
        ...(one.source === null ? [] : checkSchemaLine(root, one.file)),
        ...checkMisses(one),
        ...checkDuplicateCases(one.cases ?? []),
        ...(one.ruleGroup === undefined || never === null ? [] : checkMeaning(one.ruleGroup, never))
      ])
    ]),
    ...checkDuplicateCodes(examined),
    ...checkRuleNames(
      examined.flatMap(({ file, ruleGroup }) =>
        (ruleGroup?.rules ?? []).map(({ name }, index) => ({ name, file, index }))
      )
    ),
    ...checkRecommendations(examined, recommendations),
    ...checkCasesBeside(examined),
    ...lintLexicon(examined)
  ]
}

const readOrNull = <S extends Schema.ConstraintDecoder<unknown>>(
  root: Root,
  file: string,
  schema: S
): S["Type"] | null => {
  const found = Result.flatMap(readSource(root, join(root, file)), (source) => decodeFile(schema, source))
  return Result.isSuccess(found) ? found.success : null
}

/** Adds the recommendation codes that a policy set explains in its `policy.json`. */
export const withOwnRecommendations = (
  context: LintContext,
  set: ReadonlyArray<ExaminedFile>
): LintContext => {
  const own = set.find(({ recommendations }) => recommendations !== undefined)?.recommendations
  const { recommendations } = context
  const known = recommendations === null || own === undefined ? null : [...recommendations, ...own]
  return { ...context, recommendations: known }
}

export const readLintContext = (root: Root): LintContext => {
  const explained = readOrNull(root, "rules/recommendations.json", RecommendationsFile)
  const numbers = readOrNull(root, "rules/ruleset.json", RulesetFile)
  return {
    possible: numbers === null ? null : possibleFacts(numbers),
    recommendations: explained === null ? null : Object.keys(explained.recommendations)
  }
}

/** `../../../schemas/factor.schema.json` */
const relativeSchema = (file: string, schema: string): string =>
  posix.relative(dirname(file), `schemas/${schema}`)

/** The second line of every JSON file names its schema, so that editors can complete and check the file. */
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

/** Each factor code, typology name and policy rule id has its own file. */
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
          { rule: "duplicate-code", file, path: [key], message: `\`${code}\` already has a file: ${earlier}` }
        ]
      }
      first.set(code, file)
      return []
    })
  })

/** A lint and not a required key, so that a policy rule without `misses` still applies. */
const checkMisses = ({ ruleGroup, source }: ExaminedFile): ReadonlyArray<FileProblem> =>
  ruleGroup?.kind === "policy" && isRecord(source?.json) && !("misses" in source.json)
    ? [
        {
          rule: "missing-misses",
          path: ["misses"],
          message: "`misses` is missing: say what the rule cannot see"
        }
      ]
    : []

/** Every code that a rule file recommends, with its path. */
const recommendedIn = (ruleGroup: RuleGroup) => {
  const [rule] = ruleGroup.rules
  if (rule === undefined || !("recommendations" in rule.match)) return []
  const { match } = rule
  return match.recommendations.map((code, i) => {
    if (!("effect" in match)) return { code, path: ["recommendations", i] }
    return match.effect === "add_factor"
      ? { code, path: ["then", "add_factor", "recommendations", i] }
      : { code, path: ["then", "add_recommendation", "code"] }
  })
}

/** Clients look up recommended codes, so some file must explain each. `known`: null if that file is unreadable. */
const checkRecommendations = (
  examined: ReadonlyArray<ExaminedFile>,
  known: ReadonlyArray<string> | null
): ReadonlyArray<Finding> =>
  examined.flatMap(({ file, ruleGroup }) =>
    ruleGroup === undefined || known === null
      ? []
      : recommendedIn(ruleGroup)
          .filter(({ code }) => !known.includes(code))
          .map(({ code, path }): Finding => {
            const { hint, suggested } = didYouMean(code, known)
            const place = file.startsWith("rules/") ? "rules/recommendations.json" : "policy.json"
            const instead = hint || `: describe it in ${place}`
            return {
              rule: "unknown-code",
              file,
              path,
              message: `unknown recommendation \`${code}\`${instead}`,
              ...suggested
            }
          })
  )
