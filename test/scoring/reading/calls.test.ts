/** Calls that a draft of the rules read wrongly, and how they are read. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import type { ActionRiskLevel } from "../../../src/domain/Opinion.ts"
import { firstOpinionOn } from "../../support/opine.ts"
import { readByWords } from "../../support/words.ts"

type Call = Partial<Action> & { readonly actionType: string }

const opinionOn = (call: Call) => firstOpinionOn({ environment: "production", ...call })
const levelOf = (call: Call): ActionRiskLevel => opinionOn(call).actionRisk.level
const scoreOf = (call: Call): number => opinionOn(call).actionRisk.score

describe("a name in production is as grave as", () => {
  it.each<readonly [name: string, level: ActionRiskLevel]>([
    ["assign_roles_to_user", "high"],
    ["assign_permission_to_user", "high"],
    ["assign_ticket_to_user", "low"],
    ["delete_audit_events", "critical"],
    ["purge_audit_entries", "critical"],
    ["reply_all_email", "moderate"],
    ["recall_message", "low"],
    ["stop_server", "high"],
    ["stop_vm", "high"],
    ["clear_task_instance", "moderate"],
    ["enroll_mfa", "moderate"],
    ["restore_page_version", "low"],
    ["download_plc_program", "critical"],
    ["run_secret_scanning", "low"],
    ["run_vulnerability_scan", "low"],
    ["disable_secret_scanning", "high"],
    ["unschedule_email", "low"],
    ["list_unsubscribe_all", "moderate"]
  ])("%s: %s", (actionType, level) => {
    expect(levelOf({ actionType })).toBe(level)
  })
})

describe("the act follows the last sign of a path that is posted to", () => {
  it.each<readonly [name: string, level: ActionRiskLevel]>([
    ["POST /v1/projects/p/instances/i:failover", "high"],
    ["POST /v1/projects/p/instances/i:rollback", "high"],
    ["POST /v1/orders/1:approve", "high"],
    ["POST /v1/things/x:import", "moderate"],
    ["POST /contacts(1)/Microsoft.Dynamics.CRM.Merge", "moderate"],
    ["POST /purchaseOrders(12)/Default.Approve", "moderate"],
    ["POST /systems/1/Actions/ComputerSystem.Reset", "moderate"]
  ])("%s: %s", (actionType, level) => {
    expect(levelOf({ actionType })).toBe(level)
  })

  it.each<readonly [name: string, level: ActionRiskLevel]>([
    ["POST /clusters/c/failover.json", "high"],
    ["POST /invoices/12/pay.json", "high"],
    ["POST /deploy/v1.2.3", "high"],
    ["POST /restart/nginx.service", "moderate"],
    ["POST /api/drop_database.search", "critical"],
    ["POST /invoices/12/approve:get", "high"],
    ["POST /domains/example.run", "low"],
    ["POST /files/report.pdf", "low"],
    ["DELETE /v1/instances/i:list", "moderate"]
  ])("but an ending, a version, a host or a read there is no act: %s: %s", (actionType, level) => {
    expect(levelOf({ actionType })).toBe(level)
  })
})

describe("a live system is production, whatever the caller says", () => {
  it.each(["primary", "master-db", "orders-master-db", "customer-facing", "primary_database"])(
    "%s",
    (targetSystem) => {
      const call = { actionType: "delete_user", environment: "sandbox", targetSystem } as const
      expect(levelOf(call)).toBe("high")
    }
  )

  it.each(["staging-primary-db", "local-master-db", "non-customer-facing", "primary-key-service"])(
    "but not %s",
    (targetSystem) => {
      const call = { actionType: "delete_user", environment: "sandbox", targetSystem } as const
      expect(levelOf(call)).toBe("low")
    }
  )
})

describe("what an argument says", () => {
  it.each<readonly [claim: string, level: ActionRiskLevel, call: Call]>([
    [
      "a script of awk in a file is code",
      "moderate",
      { actionType: "Bash", targetResource: "awk -f x.awk data.csv" }
    ],
    [
      "a script of sed in a file is code",
      "moderate",
      { actionType: "Bash", targetResource: "sed -f x.sed data.csv" }
    ],
    [
      "a script of awk in the command is read",
      "low",
      { actionType: "Bash", targetResource: "awk -F, '{print $1}' data.csv" }
    ],
    [
      "SELECT … INTO writes",
      "moderate",
      { actionType: "execute_sql", targetResource: "SELECT id INTO copies FROM orders" }
    ],
    [
      "a page can do what its address says",
      "moderate",
      { actionType: "browser_navigate", targetResource: "https://app.example.com/users/12/delete" }
    ],
    [
      "documentation of it does nothing",
      "low",
      { actionType: "browser_navigate", targetResource: "https://docs.example.com/users/delete" }
    ],
    [
      "a spender without a bound may take all",
      "critical",
      { actionType: "approve_token_spending", targetResource: "token=USDC amount=unlimited" }
    ],
    [
      "a lock against deletion is taken off by a parameter",
      "high",
      { actionType: "ec2:ModifyInstanceAttribute", targetResource: "i-0a11 disableApiTermination=false" }
    ],
    [
      "what is searched for is not done",
      "low",
      { actionType: "logs.search", targetResource: "service:checkout status:error" }
    ],
    [
      "a branch of one's own is reviewed by others",
      "low",
      {
        actionType: "create_or_update_file",
        targetSystem: "github",
        targetResource: "acme/web:docs/a.md branch=docs/links"
      }
    ],
    [
      "a pipeline on such a branch is a pipeline",
      "high",
      {
        actionType: "create_or_update_file",
        targetSystem: "github",
        targetResource: "acme/web:.github/workflows/a.yml branch=docs/links"
      }
    ]
  ])("%s", (_, level, call) => {
    expect(levelOf(call)).toBe(level)
  })
})

it("a verb inside a longer noun hides nothing grave from a word that calls it a test", () => {
  const name = "scratch_file_bloquear_share_annihilate"
  const once = readByWords(name)
  const twice = readByWords(once.type)
  expect([once.class, once.impact]).toEqual(["destroy", "critical"])
  expect([twice.type, twice.class, twice.impact]).toEqual([once.type, "destroy", "critical"])
})

it("a message to many is as grave by one name as by the other", () => {
  const to = { entitiesAffected: 200_000, destination: "list", targetSystem: "gmail" }
  const score = scoreOf({ actionType: "send_email", ...to })
  expect(scoreOf({ actionType: "email.send", ...to })).toBe(score)
  expect(levelOf({ actionType: "email.send", ...to })).toBe("high")
})

describe("an act that can be undone and disturbs nothing", () => {
  const stated = {
    actionType: "create_dns_record",
    entitiesAffected: 1,
    recordsAffected: 1,
    dataClassification: "internal",
    reversibility: "fully_reversible",
    privilegeChange: false,
    productionImpact: false
  } as const

  it("is low, and moderate as soon as either no longer holds", () => {
    expect(levelOf(stated)).toBe("low")
    expect(levelOf({ ...stated, reversibility: "mostly_reversible" })).toBe("moderate")
    expect(levelOf({ ...stated, productionImpact: true })).toBe("moderate")
  })

  it("counts in full where it weakens a protection", () => {
    expect(levelOf({ ...stated, actionType: "create_maintenance_window" })).toBe("moderate")
    expect(levelOf({ ...stated, actionType: "disable_waf" })).toBe("high")
  })
})

it("code in a sandbox counts no more than in development", () => {
  for (const actionType of ["execute_code", "Bash", "run_shell_command"]) {
    const inSandbox = scoreOf({ actionType, environment: "sandbox" })
    expect(inSandbox).toBeLessThanOrEqual(scoreOf({ actionType, environment: "development" }))
  }
})
