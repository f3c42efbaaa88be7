/** The folder of this package, where the shipped `rules/` and `policies/` are. */

import { fileURLToPath } from "node:url"

export const packageRoot = fileURLToPath(new URL("../..", import.meta.url))
