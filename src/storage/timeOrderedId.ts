/** Time-ordered ids: UUIDv7 with microseconds. They sort lists, and written as date-times they are the lists' cursors. */

import { randomUUID } from "node:crypto"

const microsPerMilli = 1_000
const microDigits = 6
/** 62 random bits take at most this many decimal digits. */
const tieDigits = 19
const tieBits = 62n
export const leastId = "00000000-0000-0000-0000-000000000000"
export const greatestId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Milliseconds (48 bits), version, microseconds (12 bits), variant: everything above the 62 random bits. */
const layOut = (millis: number, micros: number, tail: string): string => {
  const time = millis.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${micros.toString(16).padStart(3, "0")}-${tail}`
}

/** `atMicros`: microseconds since 1970. After the milliseconds, RFC 9562 allows any bits; here they are the microseconds. */
export const timeOrderedId = (atMicros: number): string =>
  layOut(Math.floor(atMicros / microsPerMilli), atMicros % microsPerMilli, randomUUID().slice(19))

/**
 * The id as an RFC 3339 date-time: its microsecond, then its random bits as 19 more digits. It is unique because the id is.
 *
 * A page contains the rows older than its cursor, newest first. A row written while a client is paging sorts by its time of assessment. The
 * client sees it once or not at all, and no other row moves.
 */
export const cursorOf = (assessmentId: string): string => {
  const hex = assessmentId.replaceAll("-", "")
  const millis = new Date(Number.parseInt(hex.slice(0, 12), 16)).toISOString().slice(0, -1)
  const micros = Number.parseInt(hex.slice(13, 16), 16).toString().padStart(3, "0")
  const tie = BigInt.asUintN(Number(tieBits), BigInt(`0x${hex.slice(16)}`))
  return `${millis}${micros}${tie.toString().padStart(tieDigits, "0")}Z`
}

/** RFC 3339. Accepts a space in place of `+`, because form decoding of a query turns `+` into a space. */
const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+ -]\d{2}:\d{2})$/

/** The smallest id that is not older than the time. Undefined if `text` is not a date-time. */
export const idAtInstant = (text: string): string | undefined => idOfDateTime(text, "0")

/**
 * The id below which all rows of the page after this cursor lie. Undefined if `cursor` is not a date-time.
 *
 * With fewer digits than `cursorOf` writes, it means the end of the second or millisecond: a client that stores cursors in a date type
 * truncates them, and would otherwise lose rows from the same moment. It sees some rows twice instead.
 */
export const idAtCursor = (cursor: string): string | undefined => idOfDateTime(cursor, "9")

/** `missing`: used for every digit that the fraction does not have. */
const idOfDateTime = (text: string, missing: "0" | "9"): string | undefined => {
  const [, date, minute, second, fraction = "", offset] = dateTime.exec(text) ?? []
  if (date === undefined || minute === undefined || second === undefined || offset === undefined)
    return undefined
  const leap = second === "60" ? 1 : 0
  const whole = `${date}T${minute}:${leap === 1 ? "59" : second}`
  // Date.parse turns 30 February into a day in March, so a text is a date only if it is printed back unchanged.
  const local = Date.parse(`${whole}Z`)
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(whole)) return undefined
  const seconds = Date.parse(`${whole}${offset.toUpperCase().replace(" ", "+")}`)
  if (Number.isNaN(seconds)) return undefined
  return idAt(seconds + leap * 1_000, fraction.padEnd(microDigits + tieDigits, missing))
}

const idAt = (seconds: number, digits: string): string => {
  const millis = seconds + Number(digits.slice(0, 3))
  if (millis < 0) return leastId
  if (millis >= 2 ** 48) return greatestId
  const micros = Number(digits.slice(3, microDigits))
  const beyond = /[1-9]/.test(digits.slice(microDigits + tieDigits)) ? 1n : 0n
  const tie = BigInt(digits.slice(microDigits, microDigits + tieDigits)) + beyond
  // Digits beyond those of any id sort after every id of their microsecond.
  if (tie >> tieBits > 0n) return layOut(millis, micros + 1, "8000-000000000000")
  const tail = ((1n << (tieBits + 1n)) | tie).toString(16)
  return layOut(millis, micros, `${tail.slice(0, 4)}-${tail.slice(4)}`)
}

/** Whether `text` can be a list's cursor: any RFC 3339 date-time. */
export const isCursor = (text: string): boolean => idAtCursor(text) !== undefined

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** `text` as a lower-case UUID. Undefined if it is not a UUID. */
export const asUuid = (text: string): string | undefined => (uuid.test(text) ? text.toLowerCase() : undefined)

/** A request for one page of a list, newest first. */
export interface PageQuery {
  readonly limit: number
  /** Only rows with a smaller id. */
  readonly before: string | undefined
}

/** A page of a list, and the cursor of the next one, null on the last page. If there are more rows, `found` has one more than `limit`. */
export const cursorPage = <Row>(
  found: ReadonlyArray<Row>,
  limit: number,
  idOf: (row: Row) => string
): { readonly rows: ReadonlyArray<Row>; readonly nextCursor: string | null } => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last === undefined ? null : cursorOf(idOf(last)) }
}
