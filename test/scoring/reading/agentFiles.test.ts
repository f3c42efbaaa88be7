/** Single lines of a file or a policy that open a machine, a network or an agent to others, and similar lines that open nothing. */

import { describe, expect, it } from "vitest"
import type { Environment } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/opine.ts"

const levelOf = (actionType: string, environment: Environment, targetResource?: string): string =>
  firstOpinionOn({
    actionType,
    environment,
    ...(targetResource === undefined ? {} : { targetResource })
  }).actionRisk.level

describe("a file that says what an agent runs", () => {
  it.each(["cline_mcp_settings.json", "mcp.json", "claude_desktop_config.json"])(
    "%s adds code with the rights of the agent, on a laptop too",
    (file) => {
      expect(levelOf("write_file", "development", file)).toBe("high")
      expect(levelOf("read_file", "development", file)).toBe("low")
    }
  )

  it("starts tasks of an editor", () => {
    expect(levelOf("edit_file", "development", ".vscode/settings.json")).toBe("high")
  })

  it("hands secrets to the changes of strangers", () => {
    const workflow = ".github/workflows/release.yml"
    expect(levelOf("write_to_file", "development", `${workflow}; adds pull_request_target`)).toBe("high")
    expect(levelOf("write_to_file", "development", workflow)).toBe("moderate")
  })
})

describe("code", () => {
  it("by an unknown author is high, even in a sandbox", () => {
    expect(levelOf("sandbox.execute", "production", "script attached by an unknown sender")).toBe("high")
    expect(levelOf("sandbox.execute", "production")).toBe("moderate")
  })

  it.each(["Bash", "run_terminal_cmd", "developer__shell", "execute_applescript"])(
    "that the call does not show is worth a question in development: %s",
    (tool) => {
      expect(levelOf(tool, "development")).toBe("moderate")
      expect(levelOf(tool, "sandbox")).toBe("low")
    }
  )

  it("that the call shows is judged by what it does", () => {
    expect(levelOf("Bash", "development", "npm test")).toBe("low")
    expect(levelOf("Bash", "development", "git status")).toBe("low")
  })
})

describe("one line that opens or stops everything", () => {
  it.each([
    ["createSilence", 'alertname=~".+" duration=72h', "high"],
    ["createSilence", 'alertname=~"Disk.+" duration=2h', "moderate"],
    ["update-feature-flag", "flag=payments-kill-switch op=turnFlagOn", "high"],
    ["update-feature-flag", "flag=new-banner op=turnFlagOn", "moderate"],
    ["mute_monitor", "*", "high"],
    ["mute_monitor", "disk-web-1", "moderate"],
    ["git_push", "--force origin main", "high"],
    ["git_push", "origin main", "moderate"],
    ["update_acl_policy", "accept all from all", "critical"],
    ["chmod_and_restart", "chmod -R 777 / ; systemctl restart sshd", "critical"],
    ["chmod_and_restart", "chmod -R 755 /var/www ; systemctl restart nginx", "moderate"],
    ["route53:ChangeResourceRecordSets", "DELETE MX octo-corp.com", "critical"]
  ])("%s of %s is %s", (name, resource, level) => {
    expect(levelOf(name, "production", resource)).toBe(level)
  })

  it("is no grant of rights where an agent becomes the owner of an alert", () => {
    expect(levelOf("acknowledge_alert", "production", "alert 70413a06 owner=sre-copilot")).toBe("low")
  })
})

describe("a kill switch", () => {
  it.each([
    ["killswitch.enable", "high"],
    ["enable_kill_switch", "high"],
    ["get_kill_switch", "low"],
    ["kill_switch_status", "low"]
  ])("%s is %s", (name, level) => {
    expect(levelOf(name, "production")).toBe(level)
  })
})

describe("a server of tools", () => {
  it.each(["add_mcp_server", "install_mcp_server"])("is code on a laptop too: %s", (name) => {
    expect(levelOf(name, "development")).toBe("high")
  })
})

describe("an image in the registry of a stage", () => {
  it("counts for that stage only", () => {
    const name = "artifactory_delete_artifact"
    expect(levelOf(name, "staging", "docker-stg-local/api:1.2")).toBe("moderate")
    expect(levelOf(name, "production", "docker-local/api:1.0")).toBe("high")
  })
})

describe("cookies", () => {
  it("are low to delete, and moderate to read, because they open a session", () => {
    expect(levelOf("delete_cookies", "production")).toBe("low")
    expect(levelOf("read_cookies", "production")).toBe("moderate")
  })
})
