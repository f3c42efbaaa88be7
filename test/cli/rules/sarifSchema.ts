/** The rules of the SARIF 2.1.0 standard for the parts that the commands write: required keys, types, bounds, and no other keys. */

const object = (required: ReadonlyArray<string>, properties: object) => ({
  type: "object",
  required,
  properties,
  additionalProperties: false
})
const list = (items: object) => ({ type: "array", items })

const text = { type: "string" }
const level = { enum: ["none", "note", "warning", "error"] }
const message = object(["text"], { text, markdown: text })
const fromOne = { type: "integer", minimum: 1 }

const rule = object(["id"], {
  id: text,
  shortDescription: message,
  help: message,
  defaultConfiguration: object([], { level }),
  properties: { type: "object" }
})

const result = object(["message"], {
  ruleId: text,
  ruleIndex: { type: "integer", minimum: -1 },
  level,
  message,
  locations: list(
    object([], {
      physicalLocation: object(["artifactLocation"], {
        artifactLocation: object([], { uri: { type: "string", pattern: "^[^\\s\\\\]+$" }, uriBaseId: text }),
        region: object([], { startLine: fromOne, startColumn: fromOne })
      })
    })
  )
})

export const sarifSchema = object(["version", "runs"], {
  $schema: { type: "string", pattern: "^https://" },
  version: { const: "2.1.0" },
  runs: list(
    object(["tool"], {
      tool: object(["driver"], {
        driver: object(["name"], {
          name: text,
          semanticVersion: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+$" },
          rules: { ...list(rule), uniqueItems: true }
        })
      }),
      automationDetails: object([], { id: text }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: list(result)
    })
  )
})
