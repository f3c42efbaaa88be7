/** The space of new objects: kept small while a process starts, so that a resting service does not hold what only that filled. */

import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/**
 * V8 doubles the space, from 1 MiB, whenever as much as it holds has survived, and gives none of it back at rest. What is
 * loaded all survives: left alone, it makes 128 MiB that a resting service never uses.
 */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Of 1 MiB it would be collected four hundred times until the service is ready: an eighth of what a start computes. */
const firstGrowth = 4
const grownBytes = firstGrowth * 2 ** 20
const filler = Array.from({ length: 1_000 }, () => 0)
const roundsMax = 2_000

const newSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? grownBytes

/** There is no call that sizes it, so it is filled with what survives until it grows, once. */
export const keepNewSpaceSmall = (): void => {
  growBy(firstGrowth)
  const survivors: Array<ReadonlyArray<number>> = []
  while (newSpaceBytes() < grownBytes && survivors.length < roundsMax) {
    survivors.push([...filler])
  }
  growBy(1)
}

/** As V8 would have it: work makes it grow. */
export const letNewSpaceGrow = (): void => growBy(2)
