/** The second line of every file names its schema, so that editors complete and check it while it is written. */

import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import type { Problem } from "../../Problem.ts"
import type { Root } from "../../readTree.ts"
import { kindOf } from "../FileKind.ts"

/** `../../../schemas/factor.schema.json` */
const relativeSchema = (file: string, schema: string): string =>
  posix.relative(dirname(file), `schemas/${schema}`)

/** Of a file that is JSON. */
export const checkSchemaLine = (root: Root, file: string): ReadonlyArray<Problem> => {
  const kind = kindOf(file)
  if (kind === undefined) return []
  const expected = relativeSchema(file, kind.schema)
  const [, second = ""] = readFileSync(join(root, file), "utf8").split(/\r?\n/, 2)
  const [, stated] = /^\s*"\$schema"\s*:\s*"([^"]*)"\s*,?\s*$/.exec(second) ?? []
  if (stated === expected) return []
  const message =
    stated === undefined
      ? `the second line must be \`"$schema": "${expected}"\``
      : `\`${stated}\` is not the schema of this file, which is \`${expected}\``
  return [{ rule: "missing-schema-line", path: ["$schema"], message, suggestion: `"$schema": "${expected}"` }]
}
