/** Adds the codes that answers may contain to the OpenAPI document, each with what it asks of the caller. */

import { isRecord } from "../json/json.ts"

interface DescribedCode {
  readonly code: string
  readonly kind: "control" | "factor" | "recommendation"
  readonly expects: string
}

type Node = Readonly<Record<string, unknown>>

/** Reference pages show `x-enumDescriptions` next to each value. */
const enumeration = (codes: ReadonlyArray<DescribedCode>, kind: DescribedCode["kind"]): Node => {
  const own = codes.filter((one) => one.kind === kind)
  return {
    type: "string",
    enum: own.map(({ code }) => code),
    "x-enumDescriptions": Object.fromEntries(own.map(({ code, expects }) => [code, expects]))
  }
}

/** A list that later releases or an organization's policies may extend: the known codes, or any other string. */
const openEnumeration = (
  codes: ReadonlyArray<DescribedCode>,
  kind: DescribedCode["kind"],
  description: string
): Node => ({ description, anyOf: [enumeration(codes, kind), { type: "string" }] })

/** A copy of `node` with another value at the end of a path. A path that does not exist is a bug. */
const replaceAt = (
  node: unknown,
  [first, ...rest]: ReadonlyArray<string>,
  replace: (old: unknown) => unknown
): unknown => {
  if (first === undefined) return replace(node)
  if (!isRecord(node) || !(first in node)) throw new Error(`the OpenAPI document has no ${first}`)
  return { ...node, [first]: replaceAt(node[first], rest, replace) }
}

const schemas = ["components", "schemas"]

/** Schemas that repeat the control of an answer without its reasons: those of lists, reviews and webhooks. */
const holdersOfControls = [
  "ActionItem",
  "Review",
  "ReviewItem",
  "WebhookAssessmentData",
  "WebhookClosedReviewData",
  "WebhookOpenedReviewData"
]

/** The document with the codes inserted wherever answers contain them. */
export const withCodes = <D extends object>(document: D, codes: ReadonlyArray<DescribedCode>): D => {
  const places: ReadonlyArray<readonly [path: ReadonlyArray<string>, schema: Node]> = [
    [[...schemas, "RecommendedControl", "properties", "type"], enumeration(codes, "control")],
    ...holdersOfControls.map(
      (name) =>
        [
          [...schemas, name, "properties", "recommended_control", "properties", "type"],
          enumeration(codes, "control")
        ] as const
    ),
    [
      [...schemas, "RiskFactor", "properties", "code"],
      openEnumeration(codes, "factor", "Stable identifier. Later releases of the rules can add codes.")
    ],
    [
      [...schemas, "AssessmentResponse", "properties", "recommendations", "items"],
      openEnumeration(codes, "recommendation", "The policies of an organization can add codes of their own.")
    ]
  ]
  let completed: unknown = document
  for (const [path, schema] of places) completed = replaceAt(completed, path, () => schema)
  return completed as D
}
