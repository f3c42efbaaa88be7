/** Bare names of common words: a product's meaning counts only if the product is named, and the object decides what a verb means. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const told = (actionType: string, targetSystem?: string, targetResource?: string) => {
  const { actionRisk, reading } = firstOpinionOn({
    actionType,
    environment: "production",
    ...(targetSystem === undefined ? {} : { targetSystem }),
    ...(targetResource === undefined ? {} : { targetResource })
  })
  return `${reading.class} ${actionRisk.level}`
}

describe("a bare name that one product lists", () => {
  it.each([
    ["remove_label", undefined, "write low"],
    ["set_label", undefined, "write low"],
    ["add_label", undefined, "write low"],
    ["delete_label", undefined, "delete low"],
    ["removeLabel", undefined, "write low"],
    ["remove_label", "gmail", "write low"],
    ["github.remove_label", undefined, "write low"],
    ["mcp__jira__remove_label", undefined, "write low"],
    ["remove_label", "microsoft365", "configure high"],
    ["remove_sensitivity_label", undefined, "configure high"],
    ["put", undefined, "write moderate"],
    ["patch", undefined, "write moderate"],
    ["mcp__http__put", undefined, "write moderate"],
    ["npm.put", undefined, "deploy high"],
    ["post", undefined, "unknown moderate"],
    ["mcp__http__post", undefined, "unknown moderate"],
    ["post_request", undefined, "unknown moderate"],
    ["delete", undefined, "delete moderate"],
    ["posts", undefined, "read low"],
    ["cancel_account", undefined, "access high"],
    ["cancel_customer_account", undefined, "access high"],
    ["close_account", undefined, "access high"],
    ["cancel_account", "netlify", "destroy critical"],
    ["netlify.cancelAccount", undefined, "destroy critical"],
    ["add_payment_method", undefined, "write moderate"]
  ] as const)("%s of %s is %s", (name, system, expected) => {
    expect(told(name, system)).toBe(expected)
  })
})

describe("a name that is only that of a product", () => {
  it.each(["terraform", "git", "helm", "ansible", "vault", "postgres", "snowflake", "gmail"])(
    "says nothing: %s",
    (name) => {
      expect(told(name)).toBe("unknown moderate")
      expect(told(name, undefined, '{"subcommand":"push"}')).toBe("unknown moderate")
    }
  )

  it.each([
    ["git", "status", "read low"],
    ["git", "push --force origin main", "write high"],
    ["terraform", "destroy", "destroy critical"],
    ["postgres", "SELECT 1", "read low"],
    ["helm", "list", "read low"],
    ["git_status", undefined, "read low"]
  ] as const)("means what the resource says: %s of %s is %s", (name, resource, expected) => {
    expect(told(name, undefined, resource)).toBe(expected)
  })
})

describe("a query without its statement", () => {
  it.each([
    ["execute_query", undefined, "execute moderate"],
    ["run_query", undefined, "execute moderate"],
    ["executeQuery", undefined, "execute moderate"],
    ["mcp__warehouse__run_query", undefined, "execute moderate"],
    ["db_query", undefined, "execute moderate"],
    ["database_query", undefined, "execute moderate"],
    ["sql_query", undefined, "execute moderate"],
    ["mysql.execute_query", undefined, "execute moderate"],
    ["run_query", "top customers of March", "execute moderate"],
    ["execute_query", "SELECT 1", "read low"],
    ["run_query", "DROP TABLE users", "destroy critical"],
    ["query", undefined, "read low"],
    ["run_saved_query", undefined, "read low"],
    ["execute_read_query", undefined, "read low"],
    ["run_report", undefined, "read low"],
    ["prometheus.execute_query", undefined, "read low"]
  ] as const)("%s of %s is %s", (name, resource, expected) => {
    expect(told(name, undefined, resource)).toBe(expected)
  })

  it.each(["execute_query", "run_query", "db_query", "database_query"])("%s is half sure at most", (name) => {
    const { actionRisk } = firstOpinionOn({ actionType: name, environment: "production" })
    expect(actionRisk.confidence).toBeLessThanOrEqual(0.5)
  })
})

describe("what is sent again", () => {
  it.each([
    ["resend_invoice", undefined, "communicate moderate"],
    ["resend_confirmation_email", undefined, "communicate moderate"],
    ["resend_invitation", undefined, "communicate moderate"],
    ["resend_email", undefined, "communicate moderate"],
    ["acme.resend_email", undefined, "communicate moderate"],
    ["resend_receipt", undefined, "communicate moderate"],
    ["sms.resend", undefined, "communicate moderate"],
    ["resend_verification_email", undefined, "communicate moderate"],
    ["resend_webhook", undefined, "communicate low"],
    ["resend.emails.send", undefined, "communicate moderate"],
    ["mcp__resend__send-email", undefined, "communicate moderate"],
    ["batch.send", "resend", "communicate high"],
    ["create-api-key", "resend", "access high"]
  ] as const)("%s of %s is %s", (name, system, expected) => {
    expect(told(name, system)).toBe(expected)
  })
})

describe("verbs with their objects", () => {
  it.each([
    ["search_replace", "write moderate"],
    ["find_replace", "write moderate"],
    ["find_and_replace", "write moderate"],
    ["mcp__editor__search_replace", "write moderate"],
    ["str_replace_editor", "write moderate"],
    ["search_files", "read low"],
    ["search", "read low"],
    ["adjust_stock", "configure moderate"],
    ["update_inventory", "configure moderate"],
    ["adjust_stock_level", "configure moderate"],
    ["set_stock", "configure moderate"],
    ["count_stock", "read low"],
    ["reserve_stock", "write moderate"],
    ["buy_stock", "transact high"],
    ["sell_stock", "transact high"],
    ["trade_stock", "transact high"],
    ["short_stock", "transact high"],
    ["hold_seat", "write low"],
    ["select_seat", "write low"],
    ["change_seat", "write low"],
    ["block_seat", "write low"],
    ["book_seat", "transact moderate"],
    ["reserve_seat", "transact moderate"],
    ["assign_seat", "access moderate"],
    ["add_seat", "access moderate"],
    ["provision_seat", "access moderate"],
    ["revoke_seat", "access moderate"],
    ["remove_seat", "access high"]
  ] as const)("%s is %s", (name, expected) => {
    expect(told(name)).toBe(expected)
  })
})

describe("the provider of a reading", () => {
  it.each([
    ["create_pull_request", undefined, undefined],
    ["drain_node", undefined, undefined],
    ["add_internal_note", undefined, undefined],
    ["create_event", undefined, undefined],
    ["send_email", undefined, undefined],
    ["post", undefined, undefined],
    ["github.create_pull_request", undefined, "github"],
    ["create_pull_request", "github", "github"],
    ["mcp__github__create_pull_request", undefined, "github"],
    ["stripe.refunds.frobnicate", undefined, "stripe"],
    ["DeleteDBCluster", "aurora", "aws"],
    ["rds:DeleteDBCluster", undefined, "aws"]
  ] as const)("%s of %s tells %s, as the call names it", (actionType, targetSystem, expected) => {
    const action = { actionType, environment: "production", ...(targetSystem && { targetSystem }) } as const
    expect(firstOpinionOn(action).reading.provider).toBe(expected)
  })
})
