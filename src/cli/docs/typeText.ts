/** Writes a JSON Schema as a TypeScript type, with the descriptions of fields as comments. */

/** Columns. */
const widthMax = 108

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

interface Drawing {
  readonly definitions: Json
  readonly indent: string
  /** The definitions around the current place. A definition inside itself is written as its name, which ends the recursion. */
  readonly within: ReadonlyArray<Json>
}

const literal = (value: unknown): string => JSON.stringify(value)

/** The members without duplicates, `null` last. */
const union = (members: ReadonlyArray<string>): string => {
  const unique = [...new Set(members)]
  return [
    ...unique.filter((member) => member !== "null"),
    ...unique.filter((member) => member === "null")
  ].join(" | ")
}

/** Breaks a long union over several lines. */
const folded = (drawn: string, indent: string): string => {
  if (drawn.includes("\n") || drawn.length <= widthMax || !drawn.includes(" | ")) return drawn
  const lines = [`${indent}  `]
  for (const member of drawn.split(" | ")) {
    const line = `${lines.at(-1)}| ${member} `
    if (line.length <= widthMax) lines.splice(-1, 1, line)
    else lines.push(`${indent}  | ${member} `)
  }
  return `\n${lines.map((line) => line.trimEnd()).join("\n")}`
}

const arrayOf = (schema: Json, drawing: Drawing): string => {
  const prefix = objects(schema["prefixItems"])
  if (prefix.length > 0) return `[${prefix.map((item) => draw(item, drawing)).join(", ")}]`
  const item = isObject(schema["items"]) ? draw(schema["items"], drawing) : "unknown"
  return `Array<${item}>`
}

const recordOf = (schema: Json, drawing: Drawing): string => {
  const value =
    schema["additionalProperties"] ??
    Object.values(isObject(schema["patternProperties"]) ? schema["patternProperties"] : {})[0]
  return `Record<string, ${isObject(value) ? draw(value, drawing) : "unknown"}>`
}

const structOf = (schema: Json, properties: Json, drawing: Drawing): string => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const inner = { ...drawing, indent: `${drawing.indent}  ` }
  const lines = Object.entries(properties).map(([name, property]) => {
    const field = isObject(property) ? property : {}
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const description = descriptionOf(field, drawing)
    const type = folded(draw(field, inner), inner.indent)
    const drawn = `${inner.indent}${key}${required.includes(name) ? "" : "?"}: ${type}`.replace(": \n", ":\n")
    if (description === null) return drawn
    return drawn.includes("\n") || drawn.length + description.length > widthMax
      ? `${inner.indent}// ${description}\n${drawn}`
      : `${drawn} // ${description}`
  })
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${drawing.indent}}`
}

/** The description of a field, or of the definition that it refers to. */
const descriptionOf = (schema: Json, drawing: Drawing): string | null => {
  const own = [schema, ...objects(schema["allOf"])]
    .map((part) => part["description"])
    .find((text) => typeof text === "string")
  if (typeof own === "string") return own.replace(/\.$/, "")
  const target = referenced(schema, drawing)
  return target === null ? null : descriptionOf(target, drawing)
}

const nameOf = (schema: Json): string => String(schema["$ref"] ?? "").replace(/^.*\//, "")

const referenced = (schema: Json, { definitions }: Drawing): Json | null => {
  const target = definitions[nameOf(schema)]
  return isObject(target) ? target : null
}

const draw = (schema: Json, drawing: Drawing): string => {
  const target = referenced(schema, drawing)
  if (target !== null)
    return drawing.within.includes(target)
      ? nameOf(schema)
      : draw(target, { ...drawing, within: [...drawing.within, target] })
  if (schema["const"] !== undefined) return literal(schema["const"])
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map(literal))
  const choices = [...objects(schema["anyOf"]), ...objects(schema["oneOf"])]
  if (choices.length > 0) return union(choices.map((choice) => draw(choice, drawing)))
  if (Array.isArray(schema["type"]))
    return union(schema["type"].map((type) => draw({ ...schema, type }, drawing)))
  if (schema["type"] === "array") return arrayOf(schema, drawing)
  if (schema["type"] === "object")
    return isObject(schema["properties"])
      ? structOf(schema, schema["properties"], drawing)
      : recordOf(schema, drawing)
  return scalars.get(String(schema["type"])) ?? "unknown"
}

const scalars = new Map([
  ["string", "string"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["null", "null"]
])

/** `definitions`: the targets of `$ref`. */
export const typeText = (schema: unknown, definitions: unknown): string =>
  draw(isObject(schema) ? schema : {}, {
    definitions: isObject(definitions) ? definitions : {},
    indent: "",
    within: []
  })
