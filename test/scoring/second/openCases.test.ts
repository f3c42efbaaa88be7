/**
 * Calls that the second edition still answers otherwise than people expect. Each is red here as soon as it is answered as expected:
 * then it moves to rules/calibration.json.
 */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import type { ActionRiskLevel } from "../../../src/domain/Opinion.ts"
import { opinionOn } from "../../support/next.ts"

const small: Omit<Action, "actionType"> = {
  environment: "production",
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  currency: "USD",
  dataClassification: "internal",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false
}

const open: ReadonlyArray<
  readonly [name: string, action: Action, expected: ReadonlyArray<ActionRiskLevel>, why: string]
> = [
  [
    "overwrite one restricted payroll record",
    {
      ...small,
      actionType: "payroll.record.update",
      targetSystem: "payroll",
      targetResource: "employee 7",
      dataClassification: "restricted",
      reversibility: "partially_reversible"
    },
    ["moderate", "high"],
    "it is read as a payment, and an amount of 0 makes a payment harmless"
  ],
  [
    "change a supplier's bank details, an amount of 0 stated",
    { ...small, actionType: "update_vendor_bank_details" },
    ["high"],
    "no money moves now, and all of it does with the next invoice"
  ],
  [
    "create a draft invoice over 300 USD",
    {
      ...small,
      actionType: "invoice.create",
      targetResource: "draft 12",
      financialValue: 300,
      reversibility: "mostly_reversible"
    },
    ["low"],
    "what an invoice asks for counts as if it were paid"
  ],
  [
    "mute a monitor",
    {
      ...small,
      actionType: "monitor.mute",
      targetSystem: "datadog",
      targetResource: "checkout latency"
    },
    ["moderate"],
    "any safeguard that is taken away is at least high in production"
  ],
  [
    "delete a test alarm in development",
    {
      ...small,
      actionType: "alarm.delete",
      environment: "development",
      targetSystem: "cloudwatch",
      targetResource: "test alarm",
      dataClassification: "public",
      reversibility: "mostly_reversible"
    },
    ["low"],
    "a safeguard takes no discount for tests"
  ],
  [
    "stop the audit daemon of a host",
    { actionType: "service.stop", environment: "production", targetResource: "auditd" },
    ["high", "critical"],
    "only commands say what a service of that name is for"
  ]
]

describe("is still answered otherwise than people expect:", () => {
  it.fails.each(open)("%s", (_name, action, expected) => {
    expect(expected).toContain(opinionOn(action).actionRisk.level)
  })
})
