/** The JSON Schemas named in the second line of every rule file, and those of labels, derived from what this code reads. */

import { Schema } from "effect"
import { isRecord } from "../../json/json.ts"
import { type FactKind, factKinds } from "../../scoring/Facts.ts"
import { choiceOperators, comparisonOperators } from "../language/Rule.ts"
import { LabelLine, PairsFile } from "../files/labelFiles.ts"
import { fileKinds } from "./examine.ts"

type SchemaObject = Readonly<Record<string, unknown>>

/** Accepts any `conditions`, because `readCondition` checks them. Editors get the dialect's own schema. */
const withConditions = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(withConditions)
  if (!isRecord(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      key === "conditions" && isRecord(value) && Object.keys(value).length === 0
        ? { $ref: "#/$defs/group" }
        : withConditions(value)
    ])
  )
}

const objectSchema = (schema: Schema.Constraint): SchemaObject => {
  const json = withConditions(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema)
  if (!isRecord(json)) throw new TypeError("a rule file is an object")
  const properties = isRecord(json["properties"]) ? json["properties"] : {}
  return { ...json, properties: { $schema: { type: "string" }, ...properties } }
}

const document = (...schemas: ReadonlyArray<Schema.Constraint>): SchemaObject => {
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

/** For JSON that does not name its schema: a line of a labels file, and a list. */
const plainDocument = (schema: Schema.Constraint): SchemaObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  ...Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
})

/** By file name below `schemas/`. */
export const fileSchemas = (): Readonly<Record<string, SchemaObject>> => ({
  ...Object.fromEntries(
    [...Map.groupBy(fileKinds, ({ schema }) => schema)].map(([name, kinds]) => [
      name,
      document(...kinds.map(({ of }) => of))
    ])
  ),
  "label-line.schema.json": plainDocument(LabelLine),
  "label-pairs.schema.json": plainDocument(PairsFile)
})

const valueSchema = (kind: FactKind): object => {
  switch (kind.kind) {
    case "flag":
      return { type: "boolean" }
    case "name":
      return { enum: kind.names }
    case "text":
      return { type: "string", minLength: 1 }
    case "rank":
      return { type: "integer", minimum: 0, maximum: kind.max }
    case "count":
      return { type: "integer", minimum: 0 }
  }
}

const atomSchema = (fact: string, kind: FactKind): object => {
  const ordered = kind.kind === "count" || kind.kind === "rank"
  const value = valueSchema(kind)
  return {
    type: "object",
    properties: {
      fact: { const: fact, description: kind.says },
      operator: { enum: ordered ? comparisonOperators : choiceOperators },
      value: ordered ? value : { anyOf: [value, { type: "array", items: value, minItems: 1 }] }
    },
    required: ["fact", "operator", "value"],
    additionalProperties: false
  }
}

const groupSchema = (key: "all" | "any"): object => ({
  type: "object",
  properties: { [key]: { type: "array", items: { $ref: "#/$defs/term" }, minItems: 1 } },
  required: [key],
  additionalProperties: false
})

/** The dialect as a JSON Schema, so that editors can complete facts, operators and values. */
const conditionDefinitions = {
  group: { anyOf: [groupSchema("all"), groupSchema("any")] },
  term: {
    anyOf: [
      { $ref: "#/$defs/group" },
      ...Object.entries(factKinds).map(([fact, kind]) => atomSchema(fact, kind))
    ]
  }
}
