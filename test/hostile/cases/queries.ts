/** Query parameters of the list that are wrong. */

import { request } from "../../support/rawHttp.ts"
import { type Case, key } from "./Case.ts"

const listing = (query: string) =>
  request({ method: "GET", path: `/api/v1/actions?${query}`, headers: [key] })

export const queries: ReadonlyArray<Case> = [
  "limit=0",
  "limit=101",
  "limit=-1",
  "limit=1.0",
  "limit=",
  "limit=ten",
  "limit=0x10",
  "limit=1e1",
  "limit=%2010",
  "limit=1&limit=1",
  "limit=007",
  "cursor=",
  "cursor=yesterday",
  "cursor=2026-01-01",
  "cursor=2026-13-01T00:00:00Z",
  "cursor=1700000000",
  "cursor=2026-01-01T00:00:00Z&cursor=2026-01-01T00:00:00Z",
  `q=${"a".repeat(121)}`,
  "q=a&q=b",
  "q=a%00b",
  "q=%FF",
  "q=%",
  "q=%ZZ"
].map((query): Case => [query, listing(query), { code: "VALIDATION_FAILED" }])
