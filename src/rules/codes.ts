/** Every code that an answer may contain, with one line on what the caller should do. */

import { Result } from "effect"
import { join } from "node:path"
import { controlTypes, type FactorCategory } from "../domain/Opinion.ts"
import { byCodeUnit } from "../json/json.ts"
import { type Read, readEvery, succeedUnless } from "./Finding.ts"
import { decodeFile } from "./files/decodeFile.ts"
import { RecommendationsFile } from "./files/policyFiles.ts"
import { listJson, readSource, type Root } from "./files/readTree.ts"
import { FactorFile } from "./files/ruleFiles.ts"

export const codeKinds = ["control", "factor", "recommendation"] as const

export interface ExplainedCode {
  readonly code: string
  readonly kind: (typeof codeKinds)[number]
  /** Only factors have one. */
  readonly category?: FactorCategory
  /** The action that the code asks of the caller. */
  readonly expects: string
  /** The risk behind the code. Only factors have one. */
  readonly why?: string
}

/** A factor without an instruction for the caller falls back to its reason. */
const readFactorCodes = (root: Root): Read<ReadonlyArray<ExplainedCode>> =>
  readEvery(
    listJson(join(root, "rules", "factors"))
      .filter((path) => !path.endsWith(".cases.json"))
      .map((path) =>
        Result.flatMap(readSource(root, path), (source) =>
          Result.map(decodeFile(FactorFile, source), ({ category, code, expects, why }) => ({
            code,
            kind: "factor" as const,
            category,
            expects: expects ?? why,
            why
          }))
        )
      )
  )

/** The controls weakest first, then the factors and the recommendations by code. */
export const explainedCodes = (root: Root): Read<ReadonlyArray<ExplainedCode>> =>
  Result.gen(function* () {
    const source = yield* readSource(root, join(root, "rules", "recommendations.json"))
    const {
      controls = {},
      policyFactors = {},
      recommendations
    } = yield* decodeFile(RecommendationsFile, source)
    const written = yield* readFactorCodes(root)
    const unexplained = controlTypes.filter((code) => controls[code] === undefined)
    const listOf = (kind: ExplainedCode["kind"], lines: Readonly<Record<string, string>>) =>
      Object.entries(lines).map(([code, expects]): ExplainedCode => ({ code, kind, expects }))
    const byPolicies = listOf("factor", policyFactors).map((one) => ({ ...one, category: "policy" as const }))
    return yield* succeedUnless(
      unexplained.map((code) => ({
        rule: "missing-key" as const,
        file: source.file,
        path: ["controls"],
        message: `\`${code}\` has no explanation`
      })),
      () => [
        ...controlTypes.map((code): ExplainedCode => ({
          code,
          kind: "control",
          expects: controls[code] ?? ""
        })),
        ...byCode([...written, ...byPolicies]),
        ...byCode(listOf("recommendation", recommendations))
      ]
    )
  })

const byCode = (codes: ReadonlyArray<ExplainedCode>): ReadonlyArray<ExplainedCode> =>
  codes.toSorted((a, b) => byCodeUnit(a.code, b.code))
