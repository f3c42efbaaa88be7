import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { fileSchemas } from "../../../src/rules/check/fileSchemas.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { factKinds } from "../../../src/scoring/Facts.ts"

const schemas = fileSchemas()

const ruleFiles = ["rules", "policies"].flatMap((folder) =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !file.includes("releases"))
    .map((file) => join(packageRoot, folder, file))
)

describe("the JSON Schemas of rule files", () => {
  it.each(Object.entries(schemas))(
    "%s is what the code reads (npm run rules:schemas writes it)",
    (name, schema) => {
      expect(JSON.parse(readFileSync(join(packageRoot, "schemas", name), "utf8"))).toEqual(schema)
    }
  )

  it("are named on the second line of every rule file", () => {
    expect(ruleFiles.length).toBeGreaterThan(100)
    const lost = ruleFiles.filter((file) => {
      const [, second = ""] = readFileSync(file, "utf8").split("\n")
      const named = /^ {2}"\$schema": "([^"]+)",$/.exec(second)?.[1]
      return named === undefined || !existsSync(join(dirname(file), named))
    })
    expect(lost).toEqual([])
  })

  it("complete every fact and operator of the dialect", () => {
    const text = JSON.stringify(schemas["factor.schema.json"])
    expect(Object.keys(factKinds).filter((fact) => !text.includes(`{"const":"${fact}"`))).toEqual([])
  })
})
