import { describe, expect, it } from "vitest"
import { actionRisk } from "../support/actionRisk.ts"
import { spoken } from "../support/spoken.ts"

const acme = ["--org", "acme", "--mode", "live"] as const

describe("a command", () => {
  it.each([
    [["orgs"], "action-risk orgs needs one of create, list"],
    [["nope"], 'Unknown subcommand "nope"'],
    [["orgs", "create"], "Missing required argument: slug"],
    [["orgs", "create", "Not A Slug"], "lower-case letters"],
    [["orgs", "create", "x", "y"], "Unexpected positional argument"],
    [["orgs", "create", "x", "--name", ""], "--name"],
    [["orgs", "list", "--bogus"], "--bogus"],
    [["orgs", "set-policies", "demo"], "Missing required argument: set"],
    [["rules", "release"], "Missing required argument: version"],
    [["rules", "release", "one"], "Expected: a version such as 1.0.0"],
    [["policies", "release", "startr", "1.1.0"], "one of none, starter"],
    [["keys", "create", "--mode", "test"], "--org"],
    [["keys", "create", "--org", "demo"], "--mode"],
    [["keys", "create", "--org", "demo", "--mode", "prod"], "--mode"],
    [["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "assess,admin"], "--scopes"],
    [["keys", "create", "--org", "demo", "--mode", "test", "--scopes", ""], "--scopes"],
    [
      ["keys", "create", "--org", "demo", "--mode", "test", "--expires-in", "30"],
      "such as 2s, 15m, 12h or 30d"
    ],
    [["keys", "create", "--org", "demo", "--mode", "test", "--environments", "prod"], "--environments"],
    [["keys", "revoke"], "Missing required argument: key id"],
    [["keys", "revoke", "ar_live_x"], "an id as `keys list` shows it"],
    [["evidence", "replay", "12", ...acme], "an id such as 01a1faa8-096b-732a-8637-7ff3434a9d23"],
    [["evidence", "erase", "12", ...acme], "an id such as 01a1faa8-096b-732a-8637-7ff3434a9d23"],
    [["webhooks", "redeliver", "12", ...acme], "an id as `webhooks list` shows it"],
    [["webhooks", "redeliver", "--failed", "--endpoint", "12", ...acme], "an id as `webhooks list` shows it"],
    [["webhooks", "list", "--endpoint", "12", ...acme], "an id as `webhooks list` shows it"],
    [["webhooks", "test", "12", ...acme], "an id as `webhooks list` shows it"]
  ])("that is spelled wrong says so in one line and ends with 2: %j", async (args, problem) => {
    const { code, stderr, stdout } = await spoken(...args)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toMatch(/^action-risk: [^\n]+$/)
    expect(stderr[0]).toContain(problem)
    expect(stderr[0]).not.toContain("Schema validation")
  })

  it.each([
    [["serve"]],
    [["migrate"]],
    [["status"]],
    [["orgs", "create"]],
    [["orgs", "list"]],
    [["orgs", "set-policies"]],
    [["keys", "create"]],
    [["keys", "list"]],
    [["keys", "revoke"]]
  ])("explains itself with examples: %j --help", async (args) => {
    const { code, stderr, stdout } = await spoken(...args, "--help")
    expect([code, stderr]).toEqual([0, []])
    expect(stdout).toContain("EXAMPLES")
    expect(stdout).toContain(`action-risk ${args.join(" ")}`)
  })

  it("without any words gets help and ends with 0", async () => {
    const { code, stderr, stdout } = await spoken()
    expect([code, stderr]).toEqual([0, []])
    expect(stdout).toContain("serve")
  })
})

describe("the process", () => {
  it("ends with 2 and one line of its own where a flag is unknown", async () => {
    expect(await actionRisk(["orgs", "list", "--bogus"])).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^action-risk: [^\n]*--bogus[^\n]*\n$/)
    })
  })

  it("writes no colors where standard output is no terminal", async () => {
    const { code, stderr, stdout } = await actionRisk(["keys", "create", "--help"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).not.toContain("\u001b")
  })
})
