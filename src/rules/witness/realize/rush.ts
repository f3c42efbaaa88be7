/** The pace of a history: how many assessments a usual busy hour saw, and how many the last one. */

import type { Numbers } from "../../../scoring/Model.ts"
import type { Box } from "../../analysis/Box.ts"
import type { Situation } from "../../cases.ts"
import { daysAgo, hoursAgo } from "./calendar.ts"
import { usualFor } from "./figures.ts"
import { spanIn } from "./spanIn.ts"
import type { Request } from "./statements.ts"

type Entries = NonNullable<Situation["history"]>["earlier"]

interface Rush {
  /** Assessments in the last hour, the asked one included. */
  readonly lastHour: number
  readonly before: Entries
}

/** One assessment a second fills an hour. */
const perEntryMax = 3_590
const perHourMax = 40_000
/** Every fourth hour is asked in, so that other routines keep hours of their own and many days are touched. */
const hoursApart = 4
/** Above the 95th percentile lie two of the usual 24 hours; three leave room for the hours of other routines. */
const busyHoursWanted = 3

const burst = (request: Request, at: string, times: number): Entries =>
  Array.from({ length: Math.ceil(times / perEntryMax) }, (_, i) => ({
    at,
    request,
    repeat: { times: Math.min(perEntryMax, times - i * perEntryMax), every: "1s" }
  }))

/** The fewest assessments in the last hour for which some usual hour gives the wanted multiplier. */
const paceFor = (box: Box): { readonly lastHour: number; readonly usual: number } | null => {
  const multiplier = spanIn(box, "velocity_multiplier_x100")
  const { max, min } = spanIn(box, "velocity_last_hour")
  const least = Math.max(1, min, Math.floor(multiplier.min / 100))
  for (let lastHour = least; lastHour <= Math.min(max, least + perHourMax); lastHour++) {
    const usual = usualFor(lastHour, multiplier)
    if (usual !== null) return { lastHour, usual }
  }
  return null
}

/** Null where no pace has the wanted figures. */
export const busyHours = (box: Box, before: Request, numbers: Numbers): Rush | null => {
  const { max, min } = spanIn(box, "velocity_last_hour")
  const quiet = Math.max(1, min)
  if (spanIn(box, "velocity_multiplier_x100").min === 0) {
    return quiet > Math.min(max, perHourMax) ? null : { lastHour: quiet, before: [] }
  }
  const pace = paceFor(box)
  if (pace === null || pace.lastHour > perHourMax || pace.usual > perHourMax) return null
  const { velocityDaysMin, velocityHoursMin } = numbers.behavior
  const times = Math.max(velocityHoursMin, (velocityDaysMin * 24) / hoursApart)
  const busy = Array.from({ length: pace.usual > 1 ? busyHoursWanted : 0 }, (_, i) =>
    burst(before, daysAgo(28, hoursApart * i), pace.usual - 1)
  )
  return {
    lastHour: pace.lastHour,
    before: [
      { at: daysAgo(28, 0), request: before, repeat: { times, every: `${hoursApart}h` } },
      ...busy.flat()
    ]
  }
}

/** The asked action itself, asked again and again within the hour: it counts towards the pace and nothing else. */
export const lastHour = (asked: Request, assessments: number): Entries =>
  assessments > 1 ? burst(asked, hoursAgo(1, 1), assessments - 1) : []
