/** The JSON Schemas that the second line of every rule file names, derived from what this code reads. */

import { Schema } from "effect"
import { CalibrationFile } from "./files/CalibrationFile.ts"
import { FactorCasesFile, MatchCasesFile } from "./files/CasesFile.ts"
import { CurrenciesFile } from "./files/CurrenciesFile.ts"
import { FactorFile } from "./files/FactorFile.ts"
import { ProviderFile, VerbsFile, WordsFile } from "./files/LexiconFiles.ts"
import { PolicyRuleFile } from "./files/PolicyRuleFile.ts"
import { PolicySetFile } from "./files/PolicySetFile.ts"
import { RecommendationsFile } from "./files/RecommendationsFile.ts"
import { RulesetFile } from "./files/RulesetFile.ts"
import { TypologyFile } from "./files/TypologyFile.ts"
import { conditionDefinitions } from "./schemas/conditionSchema.ts"

type JsonObject = { readonly [key: string]: unknown }

const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The file schemas leave `conditions` to the dialect's own reader; here they say what it accepts. */
const withConditions = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(withConditions)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      key === "conditions" && isObject(value) && Object.keys(value).length === 0
        ? { $ref: "#/$defs/group" }
        : withConditions(value)
    ])
  )
}

const objectSchema = (schema: Schema.Constraint): JsonObject => {
  const json = withConditions(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema)
  if (!isObject(json)) throw new TypeError("a rule file is an object")
  const properties = isObject(json["properties"]) ? json["properties"] : {}
  return { ...json, properties: { $schema: { type: "string" }, ...properties } }
}

const document = (...schemas: ReadonlyArray<Schema.Constraint>): JsonObject => {
  const objects = schemas.map(objectSchema)
  const [first = {}] = objects
  const whole = objects.length === 1 ? first : { anyOf: objects }
  const asksConditions = JSON.stringify(whole).includes("#/$defs/group")
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...whole,
    ...(asksConditions ? { $defs: conditionDefinitions } : {})
  }
}

/** By file name below `schemas/`. */
export const fileSchemas = (): Readonly<Record<string, JsonObject>> => ({
  "calibration.schema.json": document(CalibrationFile),
  "currencies.schema.json": document(CurrenciesFile),
  "factor-cases.schema.json": document(FactorCasesFile),
  "factor.schema.json": document(FactorFile),
  "lexicon.schema.json": document(VerbsFile, WordsFile, ProviderFile),
  "match-cases.schema.json": document(MatchCasesFile),
  "policy-rule.schema.json": document(PolicyRuleFile),
  "policy-set.schema.json": document(PolicySetFile),
  "recommendations.schema.json": document(RecommendationsFile),
  "ruleset.schema.json": document(RulesetFile),
  "typology.schema.json": document(TypologyFile)
})
