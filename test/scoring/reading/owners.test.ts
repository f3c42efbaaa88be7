/** The owner of a record or a file is not an owner's permission; the destination of money is more than a record. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const levelOf = (actionType: string, targetResource?: string) =>
  firstOpinionOn({
    actionType,
    environment: "production",
    ...(targetResource === undefined ? {} : { targetResource })
  }).actionRisk.level

describe("an owner", () => {
  it.each([
    ["transfer_deal_ownership", undefined, "low"],
    ["set_task_owner", undefined, "low"],
    ["update_ticket_owner", undefined, "low"],
    ["transfer_ownership", "deal 5530192", "low"],
    ["transfer_file_ownership", undefined, "moderate"],
    ["transfer_ownership", undefined, "critical"],
    ["transfer_ownership", "repository deal-service", "critical"],
    ["transfer_repository_ownership", undefined, "critical"],
    ["transfer_organization_ownership", undefined, "critical"],
    ["add_group_member", "Global Admins", "critical"]
  ] as const)("%s of %s is %s", (name, resource, level) => {
    expect(levelOf(name, resource)).toBe(level)
  })
})

describe("where money goes", () => {
  it.each([
    ["ach_details.save", "high"],
    ["worker.pay-distribution.change", "high"],
    ["coupa_update_supplier_remit_to", "high"],
    ["copy_vendor_bank_details", "moderate"],
    ["prepare_vendor_bank_details", "low"],
    ["get_bank_details", "low"]
  ] as const)("%s is %s", (name, level) => {
    expect(levelOf(name)).toBe(level)
  })

  it("is a column too", () => {
    const update = "UPDATE vendors SET eftbankacct = '884201773' WHERE vendorid = 'ACME01'"
    expect(levelOf("execute_sql", update)).toBe("high")
  })
})

describe("what a name does after `and`", () => {
  it.each([
    ["search_and_delete", undefined, "moderate"],
    ["search_and_delete", "*", "high"],
    ["find_then_purge", undefined, "high"]
  ] as const)("%s of %s is %s, whatever it looks for first", (name, resource, level) => {
    expect(levelOf(name, resource)).toBe(level)
  })

  it("counts along with a command that is not understood", () => {
    const level = levelOf("mdm.commands.wipe_database", "blueprint: Warehouse tablets")
    expect(level).toBe("critical")
  })
})

describe("what a tool hands on by keys", () => {
  it.each([
    ["ha_call_service", "domain=light service=turn_off entity_id=light.hallway", "low"],
    ["ha_call_service", '{"domain":"lock","service":"unlock","entity_id":"lock.front_door"}', "high"]
  ] as const)("%s of %s is %s", (name, resource, level) => {
    expect(levelOf(name, resource)).toBe(level)
  })
})
