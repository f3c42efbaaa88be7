/** The minimum level of a call in production if no catalogue lists its tool and only its name is known. */

import { describe, expect, it } from "vitest"
import type { ActionRiskLevel } from "../../../src/domain/Opinion.ts"
import { firstOpinionOn } from "../../support/opine.ts"

const levelOf = (actionType: string): ActionRiskLevel =>
  firstOpinionOn({ actionType, environment: "production" }).actionRisk.level

const levels: ReadonlyArray<ActionRiskLevel> = ["low", "moderate", "high", "critical"]

describe("what changes whom one pays, or where, is at least moderate", () => {
  it.each([
    "normalize_vendor_bank_details",
    "sync_vendor_bank_details",
    "import_vendor_bank_details",
    "upload_supplier_bank_details",
    "read_update_vendor_bank_details",
    "upsert_counterparty",
    "counterparty.update",
    "save_vendor_record",
    "save_vendor",
    "supplier_master.overwrite",
    "import_payment_details"
  ])("%s", (name) => {
    expect(levels.indexOf(levelOf(name))).toBeGreaterThanOrEqual(levels.indexOf("moderate"))
  })
})

describe("what cannot be called back is looked at", () => {
  it.each([
    ["tender_load", "high"],
    ["efile_document", "high"],
    ["airdrop", "high"],
    ["token.airdrop", "high"],
    ["contract.pause", "moderate"],
    ["contract.upgrade", "high"],
    ["smart_contract.upgrade", "critical"],
    ["nft.burn", "high"],
    ["endpoint.delete", "high"],
    ["dataset.publish", "high"],
    ["chart.amend", "moderate"],
    ["patient_chart.amend", "high"],
    ["voicemail.listen", "moderate"],
    ["storage.destroy_pool", "critical"],
    ["registry.deprecate_package", "high"],
    ["share_dashboard_publicly", "high"]
  ])("%s", (name, level) => {
    expect(levelOf(name)).toBe(level)
  })
})

describe("in staging, which others use", () => {
  it.each([
    ["terraform apply -auto-approve", "moderate"],
    ["helm upgrade web ./chart", "moderate"],
    ["helm upgrade web ./chart -n staging", "low"],
    ["ssh web1 'sudo systemctl restart nginx'", "low"],
    ["terraform destroy -auto-approve", "critical"],
    ["terraform plan", "low"]
  ])("`%s` is %s", (command, level) => {
    const { actionRisk } = firstOpinionOn({
      actionType: "claude_code.Bash",
      environment: "staging",
      targetResource: command
    })
    expect(actionRisk.level).toBe(level)
  })
})

describe("the state of an act is read", () => {
  it.each(["refund_details", "transfer_details", "order_details", "import_status", "export_history"])(
    "%s",
    (name) => {
      expect(levelOf(name)).toBe("low")
    }
  )
})

const opinionOn = (actionType: string, targetResource: string) =>
  firstOpinionOn({ actionType, targetResource, environment: "production" })

describe("the message of a commit does nothing", () => {
  it.each(["Remove admin role", "message=Remove admin role", "fix: drop all tables in the migration"])(
    "%s",
    (text) => {
      for (const name of ["git.commit", "mcp__git__git_commit"])
        expect(opinionOn(name, text).actionRisk.level).toBe("low")
    }
  )

  it("but its flags, and other verbs, do", () => {
    expect(opinionOn("git_commit", "rm -rf / --all admin role").actionRisk.score).toBeGreaterThan(
      opinionOn("git_commit", "remove all admin roles").actionRisk.score
    )
    expect(opinionOn("remove_role", "admin role of anna").actionRisk.level).not.toBe("low")
  })
})

describe("a pattern that a search is asked for has no bound to be asked about", () => {
  const codes = (name: string) => opinionOn(name, "*").riskFactors.map(({ code }) => code)

  it.each(["Glob", "Grep", "search_code"])("%s", (name) => {
    expect(codes(name)).not.toContain("UNBOUNDED_SCOPE")
  })

  it.each(["list_customers", "search_patients", "delete_files"])("unlike all of %s", (name) => {
    expect(codes(name)).toContain("UNBOUNDED_SCOPE")
  })
})
