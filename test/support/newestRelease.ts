/** The newest frozen release, which a service serves where nothing else is set. */

import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases, loadRelease, type Prepared } from "../../src/rules/release/loadRelease.ts"
import { read } from "./read.ts"

export const newestVersion = listReleases(packageRoot).at(-1) ?? "none is frozen"

let opened: Prepared | undefined

/** Opened once, because it takes a second. */
export const newestRelease = (): Prepared => (opened ??= read(loadRelease(packageRoot, newestVersion)))
