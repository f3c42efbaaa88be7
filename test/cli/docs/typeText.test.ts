import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { typeText } from "../../../cliPage.ts"

const textOf = (schema: Schema.Constraint): string => {
  const document = Schema.toJsonSchemaDocument(schema)
  return typeText(document.schema, document.definitions)
}

interface Tree {
  readonly name: string
  readonly parts: ReadonlyArray<Tree>
}

const Tree = Schema.Struct({
  name: Schema.String,
  parts: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
}).annotate({ identifier: "Tree" })

describe("the type of a document", () => {
  it.each<[Schema.Constraint, string]>([
    [Schema.String, "string"],
    [Schema.NullOr(Schema.Int), "number | null"],
    [Schema.Literals(["low", "high"]), '"low" | "high"'],
    [Schema.Array(Schema.NullOr(Schema.Boolean)), "Array<boolean | null>"],
    [Schema.Record(Schema.String, Schema.Finite), "Record<string, number>"],
    [Schema.Tuple([Schema.Int, Schema.String]), "[number, string]"],
    [Schema.Struct({ a: Schema.optionalKey(Schema.String) }), "{\n  a?: string\n}"],
    [
      Schema.Struct({ a: Schema.String.annotate({ description: "What it is." }) }),
      "{\n  a: string // What it is\n}"
    ],
    [Tree, "{\n  name: string\n  parts: Array<Tree>\n}"]
  ])("%# is written as TypeScript would write it", (schema, text) => {
    expect(textOf(schema)).toBe(text)
  })

  it("describes a field of several lines above it", () => {
    const inner = Schema.Struct({ b: Schema.Int }).annotate({ description: "The inner one." })
    expect(textOf(Schema.Struct({ a: inner }))).toBe("{\n  // The inner one\n  a: {\n    b: number\n  }\n}")
  })

  it("folds a union that is too long for its line", () => {
    const words = Array.from({ length: 20 }, (_, at) => `word-${at}`)
    const lines = textOf(Schema.Struct({ a: Schema.Literals(words) })).split("\n")
    expect(lines[1]).toBe("  a:")
    expect(lines.every((line) => line.length <= 110)).toBe(true)
    expect(lines.join(" ").match(/"word-\d+"/g)).toHaveLength(20)
  })
})
