/** The newest release of the first edition, which never changes: what the tests of that edition score with. */

import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadRelease } from "../../src/rules/release/loadRelease.ts"
import { firstModelOf } from "../../src/scoring/edition1/edition.ts"
import { read } from "./read.ts"

const release = read(loadRelease(packageRoot, "1.1.0"))

export const { edition, files, rules } = release
export const model = firstModelOf(release)
