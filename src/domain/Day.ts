/** UTC days as ISO dates, such as 2026-11-22, and units of time in milliseconds. */

export const hourMs = 3_600_000
export const dayMs = 86_400_000

export const isoDayLength = "2026-11-22".length

/** The UTC day of a time in milliseconds since 1970. */
export const isoDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, isoDayLength)

/** The day after an ISO date. */
export const dayAfter = (day: string): string => isoDay(Date.parse(day) + dayMs)
