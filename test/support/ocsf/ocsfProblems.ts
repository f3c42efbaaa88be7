/** Finds where a line of an OCSF export breaks the published schema; `ocsf-1.8.0.json` is the part that we use. */

import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const schema = JSON.parse(readFileSync(join(import.meta.dirname, "ocsf-1.8.0.json"), "utf8"))

const ajv = new Ajv2020({ allErrors: true, strict: false }).addSchema(schema, "ocsf")

const classes: Readonly<Record<number, string>> = { 6003: "api_activity", 2004: "detection_finding" }

export const ocsfProblems = (line: string): ReadonlyArray<string> => {
  const event = JSON.parse(line)
  const validate = ajv.getSchema(`ocsf#/$defs/${classes[event.class_uid]}`)
  if (validate === undefined) return [`no class ${event.class_uid}`]
  if (validate(event) === true) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" ")
  )
}
