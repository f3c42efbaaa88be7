import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  asUuid,
  cursorOf,
  idAtCursor,
  idAtInstant,
  isCursor,
  timeOrderedId
} from "../../src/storage/timeOrderedId.ts"

const micros = fc.integer({ min: 0, max: Date.parse("2200-01-01") * 1_000 })

describe("timeOrderedId", () => {
  it("is a UUIDv7 of its millisecond", () => {
    const id = timeOrderedId(Date.parse("2026-11-20T15:58:10.123Z") * 1_000 + 456)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(
      Date.parse("2026-11-20T15:58:10.123Z")
    )
  })

  it("orders ids by their microsecond", () => {
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        fc.pre(a < b)
        expect(timeOrderedId(a) < timeOrderedId(b)).toBe(true)
      })
    )
  })
})

describe("cursorOf", () => {
  it("is the id's microsecond and its tie-breaking bits, as a date-time", () => {
    expect(cursorOf("019aa1c5-1e8b-71c8-8000-00000000002a")).toMatch(
      /^2025-11-20T\d{2}:\d{2}:\d{2}\.\d{3}4560000000000000000042Z$/
    )
  })

  it("leads back to its id, so nothing of that microsecond is skipped or repeated", () => {
    fc.assert(
      fc.property(micros, (at) => {
        const id = timeOrderedId(at)
        expect(idAtCursor(cursorOf(id))).toBe(id)
      })
    )
  })

  it("orders as the ids do", () => {
    fc.assert(
      fc.property(micros, fc.nat(2), (at, later) => {
        const [a, b] = [timeOrderedId(at), timeOrderedId(at + later)]
        expect(Math.sign(cursorOf(a).localeCompare(cursorOf(b)))).toBe(Math.sign(a.localeCompare(b)))
      })
    )
  })
})

describe("idAtCursor", () => {
  const at = (text: string) => idAtCursor(text) ?? "no date-time"
  const made = (text: string, plusMicros = 0) => timeOrderedId(Date.parse(text) * 1_000 + plusMicros)

  it.each([
    ["2026-11-20T15:58:10.123Z", "2026-11-20T15:58:10.123Z", "2026-11-20T15:58:10.124Z"],
    ["2026-11-20T15:58:10.1Z", "2026-11-20T15:58:10.199Z", "2026-11-20T15:58:10.200Z"],
    ["2026-11-20T15:58:10Z", "2026-11-20T15:58:10.999Z", "2026-11-20T15:58:11Z"],
    ["2026-11-20t15:58:10z", "2026-11-20T15:58:10.999Z", "2026-11-20T15:58:11Z"],
    ["2026-11-20T15:58:10+02:00", "2026-11-20T13:58:10.999Z", "2026-11-20T13:58:11Z"],
    ["2026-11-20T15:58:10 02:00", "2026-11-20T13:58:10.999Z", "2026-11-20T13:58:11Z"],
    ["2026-11-20T15:58:10-02:00", "2026-11-20T17:58:10.999Z", "2026-11-20T17:58:11Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.999Z", "2017-01-01T00:00:01Z"]
  ])("%s is later than all of %s and not than %s", (cursor, older, newer) => {
    expect(made(older, 999) < at(cursor)).toBe(true)
    expect(made(newer) >= at(cursor)).toBe(true)
  })

  it("fractions of any length lie between the ids around them", () => {
    const second = "2026-11-20T15:58:10"
    expect(made(`${second}.123Z`, 456) < at(`${second}.123456Z`)).toBe(true)
    expect(made(`${second}.123Z`, 457) >= at(`${second}.123456Z`)).toBe(true)
    const exact = `${second}.123456${"0".repeat(19)}Z`
    expect(made(`${second}.123Z`, 455) < at(exact)).toBe(true)
    expect(made(`${second}.123Z`, 456) >= at(exact)).toBe(true)
    const beyondTies = at(`${second}.1234569999999999999999999Z`)
    expect(made(`${second}.123Z`, 456) < beyondTies).toBe(true)
    expect(made(`${second}.123Z`, 457) >= beyondTies).toBe(true)
    expect(at(`${second}.123999${"9".repeat(30)}Z`) <= made(`${second}.124Z`)).toBe(true)
    expect(at(`${second}.1${"0".repeat(60)}1Z`) > at(`${second}.1${"0".repeat(60)}Z`)).toBe(true)
  })

  it("loses no row where a client cuts the cursor to the precision of its dates", () => {
    fc.assert(
      fc.property(micros, fc.integer({ min: 0, max: 24 }), (made, digits) => {
        const id = timeOrderedId(made)
        const cut = cursorOf(id).replace(/\.(\d+)Z$/, (_, fraction: string) =>
          digits === 0 ? "Z" : `.${fraction.slice(0, digits)}Z`
        )
        expect(at(cut) >= id).toBe(true)
        expect(at(cut) <= timeOrderedId(made + 10 ** Math.max(0, 6 - digits))).toBe(true)
      })
    )
  })

  it("loses no row to JavaScript's dates, and repeats at most its millisecond", () => {
    const burst = Array.from({ length: 60 }, (_, micro) =>
      made("2026-11-20T15:58:10.123Z", micro)
    ).toReversed()
    const earlier = made("2026-11-20T15:58:10.122Z", 999)
    const later = made("2026-11-20T15:58:10.124Z")
    for (const id of burst) {
      const cut = at(new Date(cursorOf(id)).toISOString())
      expect([later, ...burst, earlier].filter((row) => row < cut)).toEqual([...burst, earlier])
    }
  })

  it("reaches from before the first id to after the last", () => {
    expect(at("0001-01-01T00:00:00Z") < made("1970-01-01T00:00:00Z")).toBe(true)
    expect(at("9999-12-31T23:59:59Z") > made("2900-01-01T00:00:00Z")).toBe(true)
  })

  it.each([
    "",
    "2026-11-20",
    "2026-11-20 15:58:10Z",
    "2026-11-20T15:58Z",
    "2026-11-20T15:58:10",
    "2026-11-20T15:58:10.Z",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:00+25:00",
    "2026-01-01T00:00:00Z'; --"
  ])("%j is no cursor", (text) => {
    expect(isCursor(text)).toBe(false)
  })
})

describe("idAtInstant", () => {
  const at = (text: string) => idAtInstant(text) ?? "no date-time"
  const made = (text: string, plusMicros = 0) => timeOrderedId(Date.parse(text) * 1_000 + plusMicros)

  it.each([
    ["2026-11-20T15:58:10.123Z", "2026-11-20T15:58:10.122Z", "2026-11-20T15:58:10.123Z"],
    ["2026-11-20T15:58:10Z", "2026-11-20T15:58:09.999Z", "2026-11-20T15:58:10Z"],
    ["2026-11-20T15:58:10+02:00", "2026-11-20T13:58:09.999Z", "2026-11-20T13:58:10Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z", "2017-01-01T00:00:00Z"]
  ])("%s is later than all of %s and not than %s", (instant, older, newer) => {
    expect(made(older, 999) < at(instant)).toBe(true)
    expect(made(newer) >= at(instant)).toBe(true)
  })
})

describe("asUuid", () => {
  it("reads either case and nothing else", () => {
    expect(asUuid("019AA1C5-1E8B-71C8-8000-00000000002A")).toBe("019aa1c5-1e8b-71c8-8000-00000000002a")
    expect(asUuid("019aa1c51e8b71c8800000000000002a")).toBeUndefined()
    expect(asUuid("{019aa1c5-1e8b-71c8-8000-00000000002a}")).toBeUndefined()
    expect(asUuid("not an id")).toBeUndefined()
  })
})
