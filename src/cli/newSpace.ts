/** The space of new objects: kept small while a process starts, so that a resting service does not hold what only that filled. */

import { setFlagsFromString } from "node:v8"

/**
 * V8 doubles the space, from 1 MiB, whenever as much as it holds has survived, and gives none of it back at rest. What is
 * loaded all survives: left alone, it makes 128 MiB that a resting service never uses.
 */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

export const keepNewSpaceSmall = (): void => growBy(1)

/** As V8 would have it: work makes it grow. */
export const letNewSpaceGrow = (): void => growBy(2)
