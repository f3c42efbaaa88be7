/** The fixed instants of witnesses: noon of a Monday, and before it. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const noon = Date.parse("2026-11-16T12:00:00Z")

const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z")

export const now = instant(noon)

/** `days` before today, at a full hour. */
export const daysAgo = (days: number, hour: number): string =>
  instant(noon - days * dayMs + (hour - 12) * hourMs)

export const hoursAgo = (hours: number, seconds = 0): string =>
  instant(noon - hours * hourMs + seconds * 1_000)
