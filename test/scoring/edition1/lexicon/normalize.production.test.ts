/** Which texts name production. */

import { describe, expect, it } from "vitest"
import { namesProduction } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon } from "../../../support/lexicon.ts"

describe("production", () => {
  it.each([
    "production",
    "Production",
    "PROD",
    "prod-db",
    "db.prod.acme.com",
    "customers_prd",
    "prod1",
    "prod-eu-1",
    "prodDatabase",
    "PRODdb",
    "main-PRODdb2",
    "live",
    "acme-live",
    "s3://acme-prod/exports",
    "arn:aws:rds:eu-west-1:1:db:prod",
    "ｐｒｏｄ",
    "рrоd",
    "p\u200brod",
    "preprod and prod"
  ])("is named by %j", (text) => {
    expect(namesProduction(text, lexicon)).toBe(true)
  })

  it.each([
    "staging",
    "preprod",
    "pre-prod",
    "pre_production",
    "preProd",
    "non-prod",
    "no-prod",
    "nonPRODdb",
    "nonProduction",
    "not production",
    "not-live",
    "product",
    "products",
    "productivity",
    "reproduction",
    "delivery",
    "alive",
    "livestream",
    ""
  ])("is not named by %j", (text) => {
    expect(namesProduction(text, lexicon)).toBe(false)
  })
})
