/** `npm run rules:schemas`: writes the JSON Schemas of rule files, for editors. */

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileSchemas } from "./check/fileSchemas.ts"
import { packageRoot } from "./files/readTree.ts"

const folder = join(packageRoot, "schemas")
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(fileSchemas())) {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`)
}
