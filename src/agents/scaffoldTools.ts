/** Reads a server's list of tools and drafts an `action-risk.tools.json`. A person must review each guess. */

import type { MappedField, PathReading, ToolEntry, ToolsFile } from "./ToolsFile.ts"
import { digestOf } from "../json/canonical.ts"
import { byCodeUnit, isRecord } from "../json/json.ts"

export interface DescribedTool {
  /** The name used in the mapping. */
  readonly key: string
  /** The properties of its arguments, by name. */
  readonly properties: Readonly<Record<string, unknown>>
  readonly pin?: string
  /** The server itself declares the tool to be destructive. */
  readonly saysDestructive?: boolean
}

/** The digest of a tool's description. If it changes, a person must review the tool again. */
export const pinOf = (tool: object): string => `sha256:${digestOf(tool)}`

/** `{"tools": […]}`, or the response to `tools/list` that contains it as its result. Undefined if the JSON has neither form. */
const readMcpTools = (json: unknown, server: string): ReadonlyArray<DescribedTool> | undefined => {
  const result = isRecord(json) && isRecord(json["result"]) ? json["result"] : json
  const tools = isRecord(result) ? result["tools"] : undefined
  if (!Array.isArray(tools)) return undefined
  return tools.filter(isRecord).flatMap((tool) =>
    typeof tool["name"] === "string"
      ? [
          {
            key: `mcp:${server}/${tool["name"]}`,
            properties: propertiesOf(tool["inputSchema"]),
            pin: pinOf(tool),
            saysDestructive: saysDestructive(tool["annotations"])
          }
        ]
      : []
  )
}

/** In MCP, `destructiveHint` has a meaning only if `readOnlyHint` is not set. */
const saysDestructive = (annotations: unknown): boolean =>
  isRecord(annotations) && annotations["readOnlyHint"] !== true && annotations["destructiveHint"] === true

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> =>
  isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {}

const methods = ["get", "put", "post", "delete", "patch"]

/** One tool per operation, named by its `operationId` as frameworks do. References within the document are followed once. */
const readOpenApi = (json: unknown): ReadonlyArray<DescribedTool> | undefined => {
  if (!isRecord(json) || typeof json["openapi"] !== "string" || !isRecord(json["paths"])) return undefined
  return Object.values(json["paths"])
    .filter(isRecord)
    .flatMap((item) => methods.map((method) => item[method]).filter(isRecord))
    .flatMap((operation) =>
      typeof operation["operationId"] === "string"
        ? [{ key: operation["operationId"], properties: operationProperties(json, operation) }]
        : []
    )
}

const operationProperties = (document: unknown, operation: Record<string, unknown>) => {
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const named = parameters
    .map((one: unknown) => referred(document, one))
    .filter(isRecord)
    .map((one) => [String(one["name"]), referred(document, one["schema"])] as const)
  const body = at(referred(document, operation["requestBody"]), ["content", "application/json", "schema"])
  return { ...Object.fromEntries(named), ...propertiesOf(referred(document, body)) }
}

const at = (json: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    json
  )

const referred = (document: unknown, value: unknown): unknown => {
  const reference = isRecord(value) ? value["$ref"] : undefined
  return typeof reference === "string" && reference.startsWith("#/")
    ? at(document, reference.slice(2).split("/"))
    : value
}

interface Guess {
  readonly field: MappedField
  readonly names: RegExp
  readonly types: ReadonlyArray<string>
  readonly reading: (path: string) => PathReading
}

/** For each field, the first guess that fits a property's name and type wins. */
const guesses: ReadonlyArray<Guess> = [
  {
    field: "financial_value",
    names: /^(?:amount|total|price|value|sum)(?:_?(?:usd|eur))?$/i,
    types: ["number", "integer", "string"],
    reading: (path) => ({ at: path })
  },
  {
    field: "financial_value",
    names: /^(?:amount|total|price)_?(?:in_?)?(?:cents|minor)$/i,
    types: ["number", "integer"],
    reading: (path) => ({ at: path, scale: -2 })
  },
  {
    field: "currency",
    names: /^currency(?:_?code)?$/i,
    types: ["string"],
    reading: (path) => ({ at: path })
  },
  {
    field: "destination",
    names: /^(?:url|webhook_?url|callback_?url|endpoint)$/i,
    types: ["string"],
    reading: (path) => ({ at: path, host: true })
  },
  {
    field: "destination",
    names: /^(?:to|recipient|destination|channel(?:_?id)?|email|address|chat_?id)$/i,
    types: ["string"],
    reading: (path) => ({ at: path })
  },
  {
    field: "entities_affected",
    names: /^(?:to|recipients|users|emails|members|user_?ids)$/i,
    types: ["array"],
    reading: (path) => ({ count: `${path}[*]` })
  },
  {
    field: "records_affected",
    names: /^(?:ids|items|records|rows|lines|entries|\w+_?ids)$/i,
    types: ["array"],
    reading: (path) => ({ count: `${path}[*]` })
  },
  {
    field: "target_resource",
    names: /^(?:sql|query|statement|command|script|path|file_?path|resource|key|name|id|\w+_id)$/i,
    types: ["string"],
    reading: (path) => ({ at: path })
  }
]

const typesOf = (schema: unknown): ReadonlyArray<unknown> => {
  const type = isRecord(schema) ? schema["type"] : undefined
  return Array.isArray(type) ? type : [type]
}

const pathTo = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `$.${name}` : `$['${name.replaceAll(/['\\]/g, (found) => `\\${found}`)}']`

const guessReadings = ({ properties }: DescribedTool): NonNullable<ToolEntry["from_arguments"]> => {
  const found: Partial<Record<MappedField, PathReading>> = {}
  for (const { field, names, reading, types } of guesses) {
    const name = Object.keys(properties).find(
      (key) =>
        (key === field || names.test(key)) &&
        typesOf(properties[key]).some((type) => types.some((one) => one === type))
    )
    if (name !== undefined) found[field] ??= reading(pathTo(name))
  }
  return found
}

const guessedEntry = (tool: DescribedTool): ToolEntry => {
  const readings = guessReadings(tool)
  return {
    guess: true,
    ...(Object.keys(readings).length > 0 && { from_arguments: readings }),
    why: "written by tools scaffold: say what the tool does, check the paths, and remove guess",
    ...(tool.pin !== undefined && { pin: tool.pin })
  }
}

/** The tools, sorted by name. Undefined if the JSON does not list tools in a known form. */
export const describedTools = (json: unknown, server: string): ReadonlyArray<DescribedTool> | undefined =>
  (readMcpTools(json, server) ?? readOpenApi(json))?.toSorted((a, b) => byCodeUnit(a.key, b.key))

export const scaffoldTools = (tools: ReadonlyArray<DescribedTool>): ToolsFile => ({
  version: 1,
  tools: Object.fromEntries(tools.map((tool) => [tool.key, guessedEntry(tool)]))
})
