/** Data that is put into a stated place is exported if the place is outside. Further readings follow. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/opine.ts"

type Call = Partial<Action> & { readonly actionType: string }

const classOf = (call: Call) => firstOpinionOn({ environment: "production", ...call }).reading.class
const levelOf = (call: Call) => firstOpinionOn({ environment: "production", ...call }).actionRisk.level

describe("what is put somewhere leaves", () => {
  it.each([
    "sftp://lab-partner.example",
    "sftp://user@lab.example:22/in",
    "HTTPS://LAB.EXAMPLE",
    "ftp.lab.example",
    "https://lab.example/internal",
    "s3://partner-exchange",
    "s3://drop (external account)",
    "bucket in another account",
    "https://drop.blob.core.windows.net/in (vendor account)"
  ])("to %s", (destination) => {
    expect(classOf({ actionType: "sftp.put", targetSystem: "sftp", destination })).toBe("export")
  })

  it.each([
    "sftp://files.acme.internal",
    "https://git.internal.acme.example",
    "https://files.acme.example (own server)",
    "own archive",
    "/srv/archive",
    "file:///srv/partner",
    "origin/main",
    "localhost:8080",
    "notes.md",
    "web.sessions.daily",
    "Vendors sheet",
    "#ext-partner",
    "anna@partner.example",
    "s3://acme-backups",
    "s3://customer-exports",
    "https://acme.blob.core.windows.net/backups"
  ])("but not to %s", (destination) => {
    expect(classOf({ actionType: "sftp.put", targetSystem: "sftp", destination })).toBe("write")
  })

  it("by its method too, unless the system itself is what it is sent to", () => {
    const actionType = "POST /v1/tickets"
    const destination = "https://acme.zendesk.com"
    expect(classOf({ actionType, targetSystem: "crm", destination })).toBe("export")
    expect(classOf({ actionType, targetSystem: "zendesk", destination })).toBe("write")
  })
})

describe("figures by group", () => {
  const levelOfQuery = (targetResource: string) => levelOf({ actionType: "execute_sql", targetResource })

  it.each([
    "SELECT country, COUNT(*) FROM web.sessions GROUP BY country",
    "SELECT s.ward, COUNT(DISTINCT s.id) AS n FROM patients s GROUP BY s.ward ORDER BY n DESC",
    "SELECT status, count(*) n FROM tokens GROUP BY 1",
    "SELECT date_trunc('day', created_at) AS d, COUNT(*) FROM sessions GROUP BY d"
  ])("are counts: %s", (query) => {
    expect(levelOfQuery(query)).toBe("low")
  })

  it.each([
    "SELECT email, COUNT(*) FROM patients GROUP BY email",
    "SELECT user_id, COUNT(*) FROM sessions GROUP BY user_id",
    "SELECT token, COUNT(*) FROM tokens GROUP BY token",
    "SELECT diagnosis, COUNT(*) FROM patients GROUP BY diagnosis",
    "SELECT country, MAX(token) FROM tokens GROUP BY country",
    "SELECT country, string_agg(token) FROM tokens GROUP BY country",
    "SELECT country, note, COUNT(*) FROM patients GROUP BY country",
    "SELECT country, COUNT(*) FROM sessions GROUP BY country UNION SELECT ssn, 1 FROM patients"
  ])("are rows: %s", (query) => {
    expect(["high", "critical"]).toContain(levelOfQuery(query))
  })
})

it("a quote spends nothing, and one that is accepted does", () => {
  const amount = { financialValue: 120_000, currency: "EUR" }
  expect(levelOf({ actionType: "stripe.quotes.create", ...amount })).toBe("low")
  expect(levelOf({ actionType: "create_estimate", ...amount })).toBe("low")
  expect(levelOf({ actionType: "stripe.quotes.accept", ...amount })).toBe("critical")
})

it("one service that is rolled back by name is as grave as by command, and a database is graver", () => {
  expect(levelOf({ actionType: "rollback_deployment" })).toBe("moderate")
  expect(levelOf({ actionType: "Bash", targetResource: "kubectl rollout undo deployment/web" })).toBe(
    "moderate"
  )
  expect(levelOf({ actionType: "rollback_database" })).toBe("high")
  expect(levelOf({ actionType: "rollback_all_services" })).toBe("high")
})

it("terminology is about no patient, and what a patient takes is", () => {
  expect(levelOf({ actionType: "ValueSet/$expand", targetSystem: "fhir" })).toBe("low")
  expect(levelOf({ actionType: "PUT /MedicationStatement/{id}", targetSystem: "cerner" })).toBe("high")
})

it.each(["rates.request", "quote.request", "search.jobs.create"])("%s changes nothing", (actionType) => {
  expect(levelOf({ actionType })).toBe("low")
})
