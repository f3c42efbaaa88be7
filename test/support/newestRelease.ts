/** The newest frozen release, which a service uses by default. */

import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases, type Prepared } from "../../src/rules/release/loadRelease.ts"
import { openedRulebook } from "./openedRulebook.ts"

export const newestVersion = listReleases(packageRoot).at(-1) ?? "none is frozen"

export const newestRelease = (): Prepared => openedRulebook(newestVersion).release
