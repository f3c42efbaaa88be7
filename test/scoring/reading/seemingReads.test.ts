/** Calls that only seem harmless: counts that reveal values, payments named like objects, exported data, and names with arguments that a shell would run as a command. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/opine.ts"

type Call = Partial<Action> & { readonly actionType: string }

const opinionOn = (call: Call) => firstOpinionOn({ environment: "production", ...call })
const levelOf = (call: Call) => opinionOn(call).actionRisk.level

describe("a query that seems to count", () => {
  const typeOf = (targetResource: string) =>
    opinionOn({ actionType: "execute_sql", targetResource }).normalizedActionType

  it.each([
    "SELECT MAX(token) FROM tokens",
    "SELECT MAX(created_at), MIN(password) FROM users",
    "SELECT COUNT(*) FROM users UNION SELECT email FROM users",
    "(SELECT COUNT(*) FROM a) UNION ALL (SELECT email FROM users)",
    "SELECT COUNT(*) || (SELECT token FROM tokens LIMIT 1) FROM orders",
    "SELECT MAX(x) FROM (SELECT token AS x FROM tokens) t"
  ])("reads what it shows: %s", (query) => {
    expect(typeOf(query)).toBe("rows.read")
    expect(levelOf({ actionType: "execute_sql", targetResource: query })).toBe("moderate")
  })

  it("reads every query of a union", () => {
    const actionType = "execute_sql"
    const secret = "SELECT id FROM products UNION SELECT password FROM users"
    expect(levelOf({ actionType, targetResource: secret })).toBe("critical")
  })

  it.each(["MAX", "median"])("reads the pay of one person: %s", (figure) => {
    const targetResource = `SELECT ${figure}(salary) FROM employees`
    expect(levelOf({ actionType: "execute_sql", targetResource })).toBe("moderate")
  })

  it("reads one value of what it shows one of", () => {
    const score = (targetResource: string) =>
      opinionOn({ actionType: "execute_sql", targetResource }).actionRisk
    expect(score("SELECT MAX(token) FROM tokens")).toEqual(score("SELECT token FROM tokens LIMIT 1"))
  })

  it.each([
    "SELECT COUNT(email) FROM users",
    "SELECT MAX(created_at) FROM users",
    "SELECT AVG(salary) FROM employees",
    "SELECT median(price) FROM orders",
    "SELECT COUNT(*) AS token_count FROM tokens",
    "SELECT COUNT(*) tokens FROM tokens",
    "SELECT COUNT(*) FILTER (WHERE token IS NOT NULL) FROM users",
    "SELECT COUNT(*) FROM orders UNION SELECT COUNT(*) FROM users",
    "SELECT status, COUNT(*) FROM users GROUP BY status UNION ALL SELECT 'all', COUNT(*) FROM users"
  ])("only counts where it shows nothing: %s", (query) => {
    expect(typeOf(query)).toBe("rows.count")
  })
})

describe("what puts something outside", () => {
  const destination = "sftp://lab-partner.example/in"
  it.each([
    { actionType: "write_file", destination },
    { actionType: "kinesis:PutRecord", targetSystem: "aws", destination: "vendor stream" },
    { actionType: "kinesis:PutRecord", targetSystem: "aws", destination: "stream of another AWS account" }
  ])("lets it leave: $actionType to $destination", (call) => {
    expect(opinionOn(call).reading.class).toBe("export")
  })

  it.each(["/srv/app/a.txt", "orders stream", "our partner stream"])(
    "does not where it stays: %s",
    (place) => {
      expect(opinionOn({ actionType: "write_file", destination: place }).reading.class).toBe("write")
    }
  )
})

describe("a name of what does something", () => {
  it.each(["PaymentTool", "payment_service", "payment_api", "stripe_payment_tool", "payout_service"])(
    "does that: %s",
    (actionType) => {
      expect(levelOf({ actionType })).toBe("high")
    }
  )

  it.each([
    "calendar_service",
    "weather_tool",
    "PaymentStatusTool",
    "user_service",
    "payment_history",
    "search_tool"
  ])("reads where that is read: %s", (actionType) => {
    expect(levelOf({ actionType })).toBe("low")
  })
})

it.each(["backup_restore", "proxmox_snapshot_rollback", "vm_snapshot_restore", "backup_overwrite"])(
  "a backup or a snapshot that seems to be made is put back, or written over: %s",
  (actionType) => expect(levelOf({ actionType })).toMatch(/high|critical/)
)

it.each(["backup_create", "snapshot_create", "backup_list", "backup_schedule", "backup_copy"])(
  "one that is made, listed or copied is no grave act: %s",
  (actionType) => expect(levelOf({ actionType })).toBe("low")
)

it.each(["pr.checkout", "checkout_pr", "transferIssue", "transfer_issue", "issue.transfer"])(
  "moving an issue or looking at a branch pays nothing: %s",
  (actionType) => {
    expect(levelOf({ actionType })).toBe("low")
  }
)

it("a reading says so if a command stated with the call decided it", () => {
  const call = { actionType: "list_issues", targetSystem: "github" }
  expect(opinionOn({ ...call, metadata: { command: "rm -rf /" } }).reading.by).toBe("command")
  expect(opinionOn({ ...call, metadata: { command: "ls" } }).reading.by).toBe("provider")
})

it("a summary names the currency of an amount, or that none is known", () => {
  const summaryOf = (currency?: string) =>
    opinionOn({ actionType: "create_payment", ...(currency === undefined ? {} : { currency }) }).summary
  expect(summaryOf("eur")).toMatch(/from [\d,]+ EUR on\.$/)
  expect(summaryOf("xyz")).toMatch(/from [\d,]+ on without a known currency\.$/)
  expect(summaryOf()).toMatch(/from [\d,]+ on without a known currency\.$/)
})

describe("a private key", () => {
  const levelIn = (actionType: string, targetResource: string) =>
    levelOf({ actionType, targetResource, environment: "development" })

  it.each([
    ["Bash", "cat ~/.ssh/id_rsa"],
    ["Bash", "head -5 /home/anna/.ssh/id_ed25519"],
    ["Bash", "cat .env ~/.ssh/id_rsa"],
    ["Read", "/home/anna/.ssh/id_ed25519"]
  ])("is graver to read than other secrets: %s %s", (tool, resource) => {
    expect(levelIn(tool, resource)).toBe("high")
  })

  it.each([
    ["Bash", "cat .env", "moderate"],
    ["Bash", "cat ~/.ssh/id_rsa.pub", "low"],
    ["Bash", "ssh -i ~/.ssh/id_rsa web1 uptime", "low"],
    ["Grep", "id_rsa", "moderate"]
  ])("is not what is read: %s %s", (tool, resource, level) => {
    expect(levelIn(tool, resource)).toBe(level)
  })
})

describe("what a name says that a shell would not run", () => {
  it.each([
    ["console.delete_user", "user=4411", "high"],
    ["console.delete_user", "test", "high"],
    ["cmd.delete_user", "ls", "high"],
    ["exec_payment", "env=prod", "high"],
    ["robot.send_command", "echo", "high"],
    ["mikrotik.routeros.upgrade", "group=branches-south version=7.19", "moderate"],
    ["ssh.reboot", "uptime", "moderate"],
    ["script.deploy", "env=prod", "high"],
    ["run_deploy_script", "env=prod", "high"],
    ["bigquery_delete_dataset", "SELECT 1", "critical"],
    ["transfer_funds_query", "SELECT 1", "high"],
    // A parameter in which something runs is a command.
    ["run_script", "X=$(mkfs.ext4)", "critical"],
    // These only carry the command, which decides.
    ["ssh_send_command", "uptime", "low"],
    ["aws_ssm.send_command", "uptime", "low"],
    ["terminal.send_keys", "ls -la", "low"],
    ["run_script", "ls -la", "low"],
    ["export_clickhouse", "SELECT count(*) FROM orders", "low"],
    ["apply_migration", "CREATE INDEX i ON orders (day)", "moderate"],
    ["console.delete_user", "rm -rf /", "critical"]
  ] as const)("%s of %s is %s", (actionType, targetResource, level) => {
    expect(levelOf({ actionType, targetResource })).toBe(level)
  })
})
