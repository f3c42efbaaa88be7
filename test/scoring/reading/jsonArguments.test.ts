/** Arguments of a tool as JSON, or after the names of parameters: the command that runs, and the object that it affects. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const scoreOf = (actionType: string, targetResource: string): number =>
  firstOpinionOn({ actionType, environment: "production", targetResource }).actionRisk.score

describe("a command in JSON", () => {
  it.each([
    ["Bash", { command: "ls -la" }, "ls -la"],
    ["Bash", { command: "rm -rf /", description: "list files" }, "rm -rf /"],
    ["shell", { cmd: ["bash", "-lc", "git push --force origin main"] }, "git push --force origin main"],
    ["shell", { command: "git", args: ["status"], timeout_ms: 3_000 }, "git status"],
    ["start_process", { command: "rm -rf /", timeout_ms: 3_000 }, "rm -rf /"],
    ["execute_kubectl", { command: "delete namespace prod" }, "delete namespace prod"],
    ["call_aws", { cli_command: "aws s3 rm s3://acme --recursive" }, "aws s3 rm s3://acme --recursive"],
    ["shell", { command: "bash -c", args: "rm -rf /" }, "rm -rf /"],
    [
      "run_command",
      { CommandLine: "npm test", Cwd: "/app", Blocking: true, SafeToAutoRun: false },
      "npm test"
    ]
  ])("of %s is read: %j is %s", (actionType, json, command) => {
    expect(scoreOf(actionType, JSON.stringify(json))).toBe(scoreOf(actionType, command))
  })

  it.each([
    ["two commands", '{"command":"ls","cmd":"rm -rf /"}'],
    ["a subcommand of its own", '{"command":"terraform","subcommand":"destroy"}'],
    ["a standard input", '{"command":"redis-cli","stdin":"FLUSHALL"}'],
    ["variables", '{"command":"git status","env":{"GIT_SSH_COMMAND":"rm -rf /"}}'],
    ["an operator among its words", '{"command":"ls","args":["&&","rm","-rf","/"]}'],
    ["a word that begins with one", '{"command":"git","args":["status","; git push --force"]}'],
    ["a substitution", '{"command":"echo","args":["$(rm -rf /)"]}'],
    ["words behind a comment", '{"command":"ls # list","args":["/"]}'],
    ["no text", '{"command":["ls",{"then":"rm -rf /"}]}'],
    ["arguments that are none", '{"command":"rm","args":{"path":"/"}}'],
    ["a text behind it", '{"command":"ls"}; rm -rf /'],
    ["no end", '{"command":"ls"'],
    ["a command that no tool knows by this name", '{"input":"ls"}']
  ])("that is not certain counts as one that is not understood: %s", (_, resource) => {
    expect(scoreOf("Bash", resource)).toBeGreaterThanOrEqual(scoreOf("Bash", "frobnicate"))
  })

  it("keeps each word of a list what it is, whatever signs it has", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\w[ -~]{0,20}$/), (word) => {
        const listed = JSON.stringify({ command: ["git", "commit", "-m", word] })
        expect(scoreOf("Bash", listed)).toBe(scoreOf("Bash", "git commit -m x"))
      })
    )
  })
})

describe("a line for a switch, stated with the switch that it is for", () => {
  it.each([
    ["execute_junos_command", { router_name: "edge-2", command: "show bgp summary" }, 0, 39],
    ["pyats_run_show_command", { device_name: "edge-2", command: "show ip bgp | include 10." }, 0, 39],
    ["execute_junos_command", { router_name: "edge-2", command: "request system reboot" }, 70, 100],
    ["netmiko_send_command", { device: "r1", command: "show version\rwrite erase" }, 70, 100],
    ["netmiko_send_command", { device: "r1; reload", command: "show version" }, 70, 100],
    ["netmiko_send_command", { device: "r1", command: "show configuration | save ftp://x/y" }, 70, 100],
    ["netmiko_send_command", { device: "r1", command: "monitor capture x export tftp://x/y" }, 70, 100],
    ["device_cli", { device: "breaker-3", command: "open" }, 50, 100]
  ])("%s of %j is from %i to %i", (actionType, given, least, most) => {
    const score = scoreOf(actionType, JSON.stringify(given))
    expect(score).toBeGreaterThanOrEqual(least)
    expect(score).toBeLessThanOrEqual(most)
  })
})

describe("a parameter before a command", () => {
  it.each([
    ["ExecuteTerraformCommand", "command=plan working_directory=envs/prod", "plan"],
    ["ExecuteTerraformCommand", "command: destroy", "destroy"],
    ["execute_kubectl", "command=get pods -n web", "get pods -n web"],
    ["git_command", "args=push --force origin main", "push --force origin main"]
  ])("of a tool that is called like a program: %s of %s is %s", (actionType, resource, command) => {
    expect(scoreOf(actionType, resource)).toBe(scoreOf(actionType, command))
  })

  it.each([
    ["ExecuteTerraformCommand", 'command="destroy" cwd=envs/prod', "destroy"],
    ["execute_kubectl", "command='delete ns prod'", "delete ns prod"]
  ])("in quotes is the same: %s of %s is %s", (actionType, resource, command) => {
    expect(scoreOf(actionType, resource)).toBe(scoreOf(actionType, command))
  })

  it.each([
    ["command=ls rm -rf /", "rm -rf /"],
    ['command="ls" rm -rf /', "rm -rf /"],
    ['command="rm -rf /"', "rm -rf /"],
    ["command: ls -la", "ls -la"]
  ])("is an assignment to a shell, and what follows is the command: %s is %s", (resource, command) => {
    expect(scoreOf("Bash", resource)).toBe(scoreOf("Bash", command))
  })
})

describe("other arguments in JSON", () => {
  it.each([
    ["mcp__github__push_files", { owner: "acme", repo: "app" }, { repo: "app" }],
    [
      "kubectl_delete",
      { resourceType: "pod", name: "web", namespace: "default" },
      { resourceType: "pod", name: "web" }
    ]
  ])("name a thing by where it is, or whose, and no other thing: %s", (actionType, whole, bare) => {
    expect(scoreOf(actionType, JSON.stringify(whole))).toBe(scoreOf(actionType, JSON.stringify(bare)))
  })

  it.each([
    ["Edit", { file_path: "src/cart.ts", old_string: "a", new_string: "b" }, "src/cart.ts"],
    ["Write", { file_path: "/repo/src/drop_table.ts", content: "x" }, "/repo/src/drop_table.ts"],
    ["Read", { file_path: "src/token.ts" }, "src/token.ts"]
  ])("hold the path of a file of source: %s of %j is %s", (actionType, json, path) => {
    expect(scoreOf(actionType, JSON.stringify(json))).toBe(scoreOf(actionType, path))
  })

  it.each([
    ["kubectl_delete", '{"resourceType":"pod","name":"web","namespace":"shop"}', 40, 69],
    ["kubectl_delete", '{"resourceType":"pod,pvc","name":"web"}', 70, 89],
    ["kubectl_delete", '{"resourceType":"pod","labelSelector":"app=web"}', 70, 89],
    ["kubectl_delete", '{"resourceType":"pod","resourceType":"namespace","name":"shop"}', 90, 100],
    ["kubectl_delete", '{"resourceType":"pvc","name":"data"}', 70, 100],
    ["kubectl_delete", '{"resourceType":"pods","namespace":"prod"}', 70, 89],
    ["kubectl_delete", '{"resourceType":"pod","names":["a","b"]}', 70, 89],
    ["kubectl_delete", '{"resourceType":"pod","name":"kafka-0"}', 70, 89],
    ["kubectl_delete", '{"manifests":[{"kind":"Pod"},{"kind":"PersistentVolumeClaim"}]}', 70, 89],
    ["kubectl_rollout", '{"subCommand":"status","name":"web"}', 0, 39],
    ["kubectl_rollout", '{"subCommand":"restart","name":"web"}', 70, 89],
    ["node_management", "operation=cordon nodeName=worker-7", 40, 69],
    ["node_management", "operation=drain nodeName=worker-7", 70, 89],
    ["node_management", '{"operation":"cordon","nodes":["a","b"],"evict":true}', 70, 89],
    ["kubectl_rollout", '{"subCommand":"status","args":"--promote-full"}', 70, 89],
    ["argo_rollout", '{"subcommand":"status","abort":true}', 70, 89],
    ["delete_label", '{"resourceType":"namespace"}', 0, 39],
    ["pull_request_review_write", '{"method":"create","event":"APPROVE"}', 40, 69],
    ["pull_request_review_write", '{"method":"create","event":"COMMENT"}', 0, 39],
    ["delete_backup", '{"kind":"pod"}', 70, 100]
  ])("say which kind of thing of Kubernetes is meant: %s of %s", (actionType, resource, least, most) => {
    const score = scoreOf(actionType, resource)
    expect(score).toBeGreaterThanOrEqual(least)
    expect(score).toBeLessThanOrEqual(most)
  })

  it("still say what is grave: an administrator, a namespace by its kind, a secret by its kind, a key", () => {
    expect(scoreOf("add_collaborator", '{"owner":"acme","permission":"admin"}')).toBeGreaterThanOrEqual(90)
    expect(scoreOf("kubectl_delete", '{"resourceType":"namespace","name":"prod"}')).toBeGreaterThanOrEqual(90)
    expect(scoreOf("kubectl_get", '{"resourceType":"secret","name":"db"}')).toBeGreaterThanOrEqual(70)
    expect(scoreOf("Read", '{"file_path":"/root/.ssh/id_rsa"}')).toBeGreaterThanOrEqual(70)
  })
})
