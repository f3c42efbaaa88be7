/** The newest frozen release, which a service serves where nothing else is set, and the version of the oldest one. */

import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases, type Prepared } from "../../src/rules/release/loadRelease.ts"
import { openedRulebook } from "./openedRulebook.ts"

const versions = listReleases(packageRoot)

export const newestVersion = versions.at(-1) ?? "none is frozen"
export const oldestVersion = versions[0] ?? "none is frozen"

export const newestRelease = (): Prepared => openedRulebook(newestVersion).release
