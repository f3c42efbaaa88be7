/** The newest frozen release, which a service serves where nothing else is set, and the version of the oldest one. */

import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases, loadRelease, type Prepared } from "../../src/rules/release/loadRelease.ts"
import { read } from "./read.ts"

const versions = listReleases(packageRoot)

export const newestVersion = versions.at(-1) ?? "none is frozen"
export const oldestVersion = versions[0] ?? "none is frozen"

let opened: Prepared | undefined

/** Opened once, because it takes a second. */
export const newestRelease = (): Prepared => (opened ??= read(loadRelease(packageRoot, newestVersion)))
