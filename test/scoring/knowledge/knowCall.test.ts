/** How catalogue entries change calls, in examples that a person can follow. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import type { Behavior } from "../../../src/domain/Behavior.ts"
import type { JsonObject } from "../../../src/json/json.ts"
import type { Opinion } from "../../../src/domain/Opinion.ts"
import {
  type OrganizationEntry,
  prepareOrganizationCatalogue
} from "../../../src/scoring/knowledge/OrganizationCatalogue.ts"
import { model } from "../../support/draft.ts"
import { destinations, firstOpinionOn, noHistory, opineKnowing } from "../../support/opine.ts"
import { historyRecord } from "../../../src/scoring/HistoryRecord.ts"

type Entry = Omit<OrganizationEntry, "id" | "reviewBy"> & Partial<OrganizationEntry>

const entries = (...written: ReadonlyArray<Entry>): ReadonlyArray<OrganizationEntry> =>
  written.map((one, at) => ({ id: `entry-${at}`, reviewBy: "2027-06-30", ...one }))

const knowing = (
  action: Action,
  known: ReadonlyArray<OrganizationEntry>,
  behavior: Behavior = noHistory
): Opinion => opineKnowing({ action, behavior, policies: [] }, known)

const call = (actionType: string, more: Partial<Action> = {}): Action => ({
  actionType,
  environment: "production",
  ...more
})

const frobnicate = entries({
  match: { action: "acme.frobnicate" },
  class: "read",
  recordsAffected: 1,
  dataClassification: "internal"
})

describe("an unknown tool in the catalogue", () => {
  it("becomes low, and the opinion names the entry behind each value", () => {
    const action = call("acme.frobnicate")
    const { actionRisk, assumptions, missingInformation, reading, riskFactors, summary } = knowing(
      action,
      frobnicate
    )
    expect(firstOpinionOn(action).actionRisk.level).toBe("moderate")
    expect(actionRisk.level).toBe("low")
    expect(reading).toEqual({ by: "catalogue", entry: "entry-0", class: "read", impact: "low" })
    expect(assumptions).toContainEqual({ field: "records_affected", assumed: 1, entry: "entry-0" })
    expect(assumptions).toContainEqual({
      field: "data_classification",
      assumed: "internal",
      entry: "entry-0"
    })
    expect(missingInformation.map(({ field }) => field)).not.toContain("records_affected")
    expect(riskFactors.map(({ code }) => code)).not.toContain("UNCLASSIFIED_ACTION")
    expect(summary).toContain("wants to call acme frobnicate in production")
  })

  it.each([
    "acme.frobnicate",
    "ACME.Frobnicate",
    "acme_frobnicate",
    "acme/frobnicate",
    "mcp__acme__frobnicate",
    "\u0430cme.frobnicate"
  ])("is found under the spelling %s", (actionType) => {
    expect(knowing(call(actionType), frobnicate).reading.by).toBe("catalogue")
  })

  it.each(["acme.frobnicate_all", "acme", "other.frobnicate", "frobnicate"])(
    "is not found under the other name %s",
    (actionType) => {
      expect(knowing(call(actionType), frobnicate).reading.by).toBe("name")
    }
  )

  it("is as risky as its arguments say", () => {
    const patient = call("acme.frobnicate", { targetResource: "patient/17" })
    expect(knowing(patient, frobnicate).actionRisk.level).not.toBe("low")
  })
})

describe("a prefix", () => {
  const jira = entries({ match: { prefix: "jira" }, class: "write", dataClassification: "internal" })

  it.each(["jira.zorble", "jira_zorble_items", "mcp__jira__zorble", "Jira:Zorble"])(
    "covers %s",
    (actionType) => {
      expect(knowing(call(actionType), jira).reading.class).toBe("write")
    }
  )

  it.each(["jirazorble", "jira", "zorble.jira"])("does not cover %s", (actionType) => {
    expect(knowing(call(actionType), jira).assumptions.every(({ entry }) => entry === undefined)).toBe(true)
  })
})

describe("several entries", () => {
  const filled = (known: ReadonlyArray<OrganizationEntry>, more: Partial<Action> = {}) =>
    knowing(call("acme.zorble", { targetSystem: "acme", agentId: "bot", ...more }), known).assumptions.find(
      ({ field }) => field === "data_classification"
    )

  it("count by the exact name before a prefix, a system and an agent", () => {
    const known = entries(
      { match: { targetSystem: "acme" }, dataClassification: "restricted" },
      { match: { action: "acme.zorble" }, dataClassification: "public" }
    )
    expect(filled(known)).toEqual({ field: "data_classification", assumed: "public", entry: "entry-1" })
  })

  it("count at the riskier value where they are equally special", () => {
    const known = entries(
      { match: { targetSystem: "acme" }, dataClassification: "internal" },
      { match: { agentId: "bot" }, dataClassification: "confidential" },
      { match: { prefix: "acme" }, dataClassification: "public" }
    )
    expect(filled(known)?.assumed).toBe("confidential")
  })

  it("never take a stated value milder, and say when they take it riskier", () => {
    const known = entries({ match: { targetSystem: "acme" }, dataClassification: "confidential" })
    expect(filled(known, { dataClassification: "public" })).toEqual({
      field: "data_classification",
      assumed: "confidential",
      entry: "entry-0"
    })
    expect(filled(known, { dataClassification: "regulated" })).toBeUndefined()
  })
})

describe("an amount", () => {
  const supportBot = entries({ match: { agentId: "support-bot" }, financialValue: 40, currency: "EUR" })
  const refund = (more: Partial<Action> = {}) => call("refund.create", { agentId: "support-bot", ...more })

  it("that an agent pays at most replaces the cautious one", () => {
    const { actionRisk, assumptions } = knowing(refund(), supportBot)
    expect(actionRisk.score).toBeLessThan(firstOpinionOn(refund()).actionRisk.score)
    expect(assumptions).toContainEqual({ field: "financial_value", assumed: 40, entry: "entry-0" })
    expect(assumptions).toContainEqual({ field: "currency", assumed: "EUR", entry: "entry-0" })
  })

  it("that is stated higher counts as stated", () => {
    const stated = refund({ financialValue: 90_000, currency: "USD" })
    expect(knowing(stated, supportBot).actionRisk.score).toBe(firstOpinionOn(stated).actionRisk.score)
  })

  it("is compared in dollars", () => {
    const yen = refund({ financialValue: 90, currency: "JPY" })
    expect(knowing(yen, supportBot).assumptions).toContainEqual({
      field: "financial_value",
      assumed: 40,
      entry: "entry-0"
    })
  })

  it("that is stated without a currency is in the one that is known", () => {
    const { assumptions } = knowing(
      refund({ financialValue: 90 }),
      entries({ match: { agentId: "support-bot" }, currency: "EUR" })
    )
    expect(assumptions).toContainEqual({ field: "currency", assumed: "EUR", entry: "entry-0" })
  })
})

describe("a system that is production", () => {
  const erp = entries({ match: { targetSystem: "erp" }, environment: "production" })

  it("counts as production from every environment, and contradicts no caller", () => {
    const staging = { ...call("order.delete", { targetSystem: "erp" }), environment: "staging" } as const
    const { actionRisk, assumptions, riskFactors } = knowing(staging, erp)
    expect(actionRisk.score).toBe(firstOpinionOn({ ...staging, environment: "production" }).actionRisk.score)
    expect(assumptions).toContainEqual({ field: "environment", assumed: "production", entry: "entry-0" })
    expect(riskFactors.map(({ code }) => code)).not.toContain("ENVIRONMENT_CLAIM_INCONSISTENT")
  })
})

describe("a destination", () => {
  const archive = entries({
    match: { action: "acme.zorble_report" },
    class: "export",
    destination: "archive.example"
  })
  const record = (policies: ReadonlyArray<OrganizationEntry>) =>
    historyRecord(call("acme.zorble_report"), model, {
      catalogue: prepareOrganizationCatalogue(policies),
      day: "2026-11-22"
    })

  it("that is known is looked up in the history", () => {
    expect(record(archive).destinationKey).toBe("archive.example")
    expect(record(archive.map((one) => ({ ...one, reviewBy: "2026-11-21" }))).destinationKey).toBeNull()
  })

  it("counts by its history, and not at all without one", () => {
    const behavior = { ...noHistory, destination: destinations.established }
    const action = call("acme.zorble_report")
    expect(knowing(action, archive, behavior).assumptions).toContainEqual({
      field: "destination",
      assumed: "archive.example",
      entry: "entry-0"
    })
    const lacks = (opinion: Opinion) => opinion.missingInformation.map(({ field }) => field)
    expect(lacks(knowing(action, archive, behavior))).not.toContain("destination")
    expect(lacks(knowing(action, archive))).toContain("destination")
  })
})

describe("a review date", () => {
  const on = (takenAt: string) => knowing(call("acme.frobnicate"), frobnicate, { ...noHistory, takenAt })

  it("is the last day on which an entry counts", () => {
    expect(on("2027-06-30T23:59:59.999Z").reading.by).toBe("catalogue")
    const after = on("2027-07-01T00:00:00.000Z")
    expect(after.reading.by).toBe("name")
    expect(after.riskFactors.find(({ code }) => code === "CATALOGUE_ENTRY_EXPIRED")?.severity).toBe("low")
  })
})

describe("what an entry cannot do", () => {
  it.each([
    ["delete_contact", "read"],
    ["payment.create", "read"],
    ["grant_role", "configure"],
    ["send_email", "read"]
  ] as const)("call %s a %s", (actionType, own) => {
    const known = entries({ match: { action: actionType }, class: own, impact: "low" })
    expect(knowing(call(actionType), known).reading.class).toBe(
      firstOpinionOn(call(actionType)).reading.class
    )
  })

  it("make data less sensitive than the words of the call name", () => {
    const known = entries({ match: { targetSystem: "jira" }, dataClassification: "internal" })
    const action = call("patient_records.read", { targetSystem: "jira" })
    expect(knowing(action, known).actionRisk.score).toBe(firstOpinionOn(action).actionRisk.score)
  })

  it("make a shell mild whatever it runs", () => {
    const known = entries({
      match: { action: "bash" },
      class: "read",
      impact: "low",
      productionImpact: false
    })
    const action = call("bash", { targetResource: "rm -rf /" })
    expect(knowing(action, known)).toEqual(firstOpinionOn(action))
  })

  it("change a class by more than one step down, while one step counts", () => {
    const to = (own: "read" | "internal") =>
      knowing(call("update_issue"), entries({ match: { action: "update_issue" }, class: own })).reading.class
    expect(to("read")).toBe("read")
    expect(to("internal")).toBe("write")
  })
})

describe("recipients in a domain of the organization", () => {
  const own = entries({ match: { recipientDomain: "acme.example" }, inside: true })
  const mail = (args: JsonObject): Action =>
    call("mcp__gmail__send_email", { metadata: { tool_call: { name: "send_email", arguments: args } } })
  const scoreOf = (args: JsonObject, known = own): number => knowing(mail(args), known).actionRisk.score
  const stranger = scoreOf({ to: "eve@other.example" }, [])

  it.each([
    { to: "ana@acme.example" },
    { to: ["ana@acme.example", "Bo <bo@Acme.Example>"], cc: "cy@mail.acme.example" },
    { to: [{ address: "bo@acme.example" }] }
  ])("are colleagues, and the opinion names the entry: %j", (args) => {
    const opinion = knowing(mail(args), own)
    expect(opinion.actionRisk.score).toBeLessThan(stranger)
    expect(opinion.reading).toMatchObject({ entry: "entry-0" })
  })

  it.each([
    { to: "eve@other.example" },
    { to: ["ana@acme.example", "eve@other.example"] },
    { to: "ana@acme.example", bcc: "eve@other.example" },
    { to: "ana@acme.example", archive: "eve@other.example" },
    { to: "ana@acme.example.other.example" },
    { to: "ana@notacme.example" },
    { to: "ana@acme.example, eve@other.example" },
    { to: "ana@acme.example <eve@other.example>" },
    { to: "ana@\u0430cme.example" },
    { from: "ana@other.example", to: "eve@other.example" }
  ])("are none where anyone else is among them: %j", (args) => {
    expect(scoreOf(args)).toBeGreaterThanOrEqual(stranger)
    expect(knowing(mail(args), own).reading).not.toHaveProperty("entry")
  })

  it("count until the date of their entry", () => {
    const past = entries({ match: { recipientDomain: "acme.example" }, inside: true, reviewBy: "2020-01-01" })
    expect(scoreOf({ to: "ana@acme.example" }, past)).toBe(stranger)
  })

  it("make no call graver and no grave call milder", () => {
    const { level } = knowing(mail({ to: "ana@acme.example", role: "super_admin" }), own).actionRisk
    const remove = call("mcp__crm__delete_customers", {
      metadata: { tool_call: { name: "delete_customers", arguments: { to: "ana@acme.example" } } }
    })
    expect(level).toBe(knowing(mail({ to: "eve@other.example", role: "super_admin" }), own).actionRisk.level)
    expect(knowing(remove, own).actionRisk.score).toBe(knowing(remove, []).actionRisk.score)
  })
})

describe("places of the organization", () => {
  const command = (targetResource: string, environment: Action["environment"] = "development"): Action =>
    call("claude_code.Bash", { targetResource, environment })
  const own = entries(
    { match: { place: "blue" }, environment: "development" },
    { match: { place: "*.lab.acme.example" }, environment: "staging" },
    { match: { place: "eu-1" }, environment: "production" }
  )
  const scoreOf = (asked: Action, known = own): number => knowing(asked, known).actionRisk.score

  it.each([
    ["kubectl --context blue delete deployment web", 0],
    ["ssh ops@db3.lab.acme.example 'rm -rf /srv/data'", 1],
    ["curl -X DELETE https://api.lab.acme.example/orders/7", 1]
  ])("outside of production are no production, and the opinion names the entry: %s", (text, entry) => {
    const opinion = knowing(command(text), own)
    expect(opinion.actionRisk.score).toBeLessThan(scoreOf(command(text), []))
    expect(opinion.riskFactors.map(({ code }) => code)).not.toContain("REMOTE_TARGET_UNCONFIRMED")
    expect(opinion.reading).toMatchObject({ entry: `entry-${entry}` })
  })

  it.each([
    "kubectl --context green delete deployment web",
    "kubectl --context $CONTEXT delete deployment blue",
    "ssh ops@lab.acme.example.other.example 'rm -rf /srv/data'",
    "kubectl --context blue get pods && ssh ops@db.acme.example 'rm -rf /srv/data'",
    "curl -X DELETE https://other.example/blue"
  ])("confirm no other place: %s", (text) => {
    expect(scoreOf(command(text))).toBe(scoreOf(command(text), []))
  })

  it.each(["kubectl --context eu-1 delete deployment web", "ssh ops@eu-1 'rm -rf /srv/data'"])(
    "in production are production, whatever environment is stated: %s",
    (text) => {
      const asked = command(text, "staging")
      expect(scoreOf(asked)).toBe(scoreOf(command(text, "production"), []))
      expect(knowing(asked, own).assumptions).toContainEqual({
        field: "environment",
        assumed: "production",
        entry: "entry-2"
      })
    }
  )

  it("are named by the arguments of a tool as by its command", () => {
    const named = call("mcp__shell__run", {
      environment: "staging",
      metadata: {
        tool_call: { name: "run", arguments: { command: "kubectl --context eu-1 delete deployment web" } }
      }
    })
    expect(knowing(named, own).assumptions).toContainEqual({
      field: "environment",
      assumed: "production",
      entry: "entry-2"
    })
  })

  it("make no command on this machine milder", () => {
    for (const text of ["rm -rf /", "rm -rf blue", "git reset --hard"])
      expect(scoreOf(command(text))).toBe(scoreOf(command(text), []))
  })

  it("count until the date of their entry", () => {
    const past = entries({ match: { place: "blue" }, environment: "development", reviewBy: "2020-01-01" })
    const text = "kubectl --context blue delete deployment web"
    expect(scoreOf(command(text), past)).toBe(scoreOf(command(text), []))
  })
})
