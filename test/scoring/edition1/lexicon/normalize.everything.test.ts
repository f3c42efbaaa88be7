/** Which resources are everything there is. */

import { describe, expect, it } from "vitest"
import { namesEverything } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon } from "../../../support/lexicon.ts"

describe("a resource is everything", () => {
  it.each([
    "*",
    " * ",
    "%",
    "all",
    "ALL",
    "all customers",
    "customers/all",
    "customers/*",
    "customers:*",
    "customers.*",
    "**/*",
    "all_users",
    "allUsers",
    "every account",
    "everyone",
    "＊",
    "name like '%'",
    "аll"
  ])("as %j", (resource) => {
    expect(namesEverything(resource, lexicon)).toBe(true)
  })

  it.each(["", "customers/42", "report-*", "100%", "a*b", "overall", "hallway", "small", "install", "ball"])(
    "but not as %j",
    (resource) => {
      expect(namesEverything(resource, lexicon)).toBe(false)
    }
  )
})
