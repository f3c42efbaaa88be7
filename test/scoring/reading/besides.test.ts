/** What a call does besides its class: data goes out too, or the protection that it takes away is a trace. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { next, noHistory } from "../../support/next.ts"
import { policySetOf } from "../../support/policySetOf.ts"

const factsOf = (actionType: string, targetResource?: string): Facts => {
  const matched: Array<Facts> = []
  const action: Action = {
    actionType,
    environment: "production",
    ...(targetResource === undefined ? {} : { targetResource })
  }
  next
    .withMatch((facts) => {
      matched.push(facts)
      return next.match(facts)
    })
    .score(action, noHistory, policySetOf([]))
  const [first] = matched
  if (first === undefined) throw new Error("a score matches its rules at least once")
  return first
}

describe("a call that deletes", () => {
  it.each([
    ["export_and_delete_customers", undefined, true],
    ["customers.export_then_purge", undefined, true],
    ["delete_customers_and_export", undefined, true],
    ["Bash", "aws s3 cp dump.sql s3://backup/ && rm -rf dump.sql", true],
    ["delete_customers", undefined, false],
    // An export is a thing there.
    ["delete_export", undefined, false],
    ["Bash", "rm -rf dump.sql", false]
  ])("%s %s takes data out besides: %s", (name, resource, exports) => {
    expect(factsOf(name, resource).also_exports).toBe(exports)
  })

  it("takes data out as well with one more pure verb in its name", () => {
    expect(factsOf("export_purge_and_delete_customers").also_exports).toBe(true)
  })
})

describe("a call that exports", () => {
  it("takes nothing out besides", () => {
    expect(factsOf("export_customers")).toMatchObject({ action_class: "export", also_exports: false })
  })
})

describe("a call that weakens", () => {
  it.each([
    ["audit_logging.disable", undefined, 2],
    ["cloudtrail:DeleteTrail", undefined, 2],
    ["Bash", "aws cloudtrail stop-logging --name main", 2],
    ["backup_plan.disable", undefined, 1],
    ["disable_firewall", undefined, 1],
    ["audit_log.list", undefined, 0],
    ["audit_logging.enable", undefined, 0]
  ])("%s %s takes away a protection or a trace: rank %i", (name, resource, rank) => {
    expect(factsOf(name, resource).safeguard_weakened_rank).toBe(rank)
  })
})
