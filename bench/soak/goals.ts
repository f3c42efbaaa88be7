/** The conditions at the end of a soak. */

import type { Goal } from "../Question.ts"
import type { OwnDatabase } from "../stored/database.ts"
import type { Acknowledgements } from "./acknowledgements.ts"
import type { Happened } from "./changes.ts"
import type { Receivers } from "./receivers.ts"
import { least, middle, type Sample, slopePerMinute } from "./samples.ts"
import type { RunningLoad } from "./startLoad.ts"

interface Soaked {
  readonly acknowledged: Acknowledgements
  readonly database: OwnDatabase
  readonly events: ReadonlyArray<Happened>
  readonly load: RunningLoad
  readonly receivers: Receivers
  readonly samples: ReadonlyArray<Sample>
}

const heapSlopeMax = 1
const descriptorsGrowthMax = 0.05
/** Before that, a process still compiles and fills its caches: a slope says nothing about an hour. */
const slopeMinutesMin = 10

const grouped = (count: number): string => count.toLocaleString("en-US")

const ofMemory = (samples: ReadonlyArray<Sample>): ReadonlyArray<Goal> => {
  const minutes = (samples.at(-1)?.seconds ?? 0) / 60
  const heap = slopePerMinute(samples, ({ heapMb }) => heapMb, least)
  const descriptors = slopePerMinute(samples, (sample) => sample.descriptors, middle)
  const isJudged = minutes >= slopeMinutesMin
  const short = isJudged ? "" : `, not judged below ${slopeMinutesMin} minutes`
  return [
    {
      says: `the heap grows by ${heap.toFixed(2)} MB a minute (goal < ${heapSlopeMax}${short})`,
      met: !isJudged || heap < heapSlopeMax
    },
    {
      says: `open descriptors grow by ${descriptors.toFixed(2)} a minute (goal: none${short})`,
      met: !isJudged || descriptors < descriptorsGrowthMax
    }
  ]
}

export const goalsOf = async (soaked: Soaked): Promise<ReadonlyArray<Goal>> => {
  const { acknowledged, events, load, receivers, samples } = soaked
  const lost = await acknowledged.lost()
  const failed = events.filter(({ failure }) => failure !== undefined)
  const partial = samples.reduce((sum, one) => sum + one.partial, 0)
  const { contradicted, expected, later, missing, repeated, unverified } = await receivers.deliveries()
  return [
    {
      says: `${grouped(acknowledged.count())} acknowledged, ${lost} lost (goal: none)`,
      met: acknowledged.count() > 0 && lost === 0
    },
    {
      says: `${load.givenUp()} questions never answered (goal: none), ${grouped(load.retried())} asked again; ${grouped(partial)} opinions incomplete without a drill`,
      met: load.givenUp() === 0
    },
    {
      says: `${events.length} changes, ${failed.length} of them failed (goal: none)${failed.map(({ failure, what }) => `; ${what}: ${failure}`).join("")}`,
      met: events.length > 0 && failed.length === 0
    },
    {
      says: `${grouped(expected)} events for the good receiver: ${missing} missing (${later} of them wait for a later attempt), ${unverified} not verified, ${contradicted} with two bodies (goal: none); ${repeated} came again with the same id`,
      met: expected > 0 && missing + unverified + contradicted === 0
    },
    ...ofMemory(samples)
  ]
}
