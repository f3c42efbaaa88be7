import { describe, expect, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { classifyDatabaseFailure, sqlState } from "../../src/storage/storageErrors.ts"

const answered = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error("no"), { code }),
      message: "no",
      operation: "query"
    })
  })

const lost = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error("no"), { code }),
      message: "no",
      operation: "query"
    })
  })

describe("a database failure", () => {
  it.each([
    ...[
      "08006",
      "25006",
      "28P01",
      "53100",
      "53300",
      "55P03",
      "57014",
      "57P01",
      "57P03",
      "58030",
      "XX001"
    ].map((code) => [code, "unavailable"] as const),
    ["40001", "conflict"],
    ["40P01", "conflict"],
    ["23505", "unique"],
    ["23503", "fault"],
    ["42501", "fault"],
    ["42601", "fault"],
    ["25001", "fault"]
  ] as const)("with the SQLSTATE %s is %s", (code, kind) => {
    expect([sqlState(answered(code)), classifyDatabaseFailure(answered(code))]).toEqual([code, kind])
  })

  it.each(["EPIPE", "ECONNREFUSED", "ECONNRESET", "ENOENT"])(
    "of the socket, %s, is no SQLSTATE and unavailable",
    (code) => {
      expect([sqlState(lost(code)), classifyDatabaseFailure(lost(code))]).toEqual([null, "unavailable"])
    }
  )

  it("that is none of the database's is a fault", () => {
    for (const defect of [new TypeError("x"), "57P01", null, undefined, { reason: 1 }]) {
      expect(classifyDatabaseFailure(defect)).toBe("fault")
    }
  })
})
