/** The version that working files give themselves, also where the rest of them cannot be read. */

import { join } from "node:path"
import { Result } from "effect"
import { readSource, type Root } from "../readTree.ts"
import { stated } from "../releaseDocument.ts"

export const statedVersion = (root: Root, file: string) => ({
  file,
  version: Result.match(readSource(root, join(root, file)), {
    onFailure: () => null,
    onSuccess: ({ json }) => stated(json, "version")
  })
})
