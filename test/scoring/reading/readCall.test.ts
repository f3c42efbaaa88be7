/** Calls whose name does not say what they do: their arguments do, or what they pass on, or the service that they call. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { actionRiskLevels } from "../../../src/domain/Opinion.ts"
import { seed, tries } from "../../support/depth.ts"
import { noHistory, opineAsked } from "../../support/opine.ts"

type Call = Partial<Action> & { readonly actionType: string }

const opinionOn = (call: Call) =>
  opineAsked({ action: { environment: "production", ...call }, behavior: noHistory, policies: [] })

const levelOf = (call: Call): string => opinionOn(call).actionRisk.level
const scoreOf = (call: Call): number => opinionOn(call).actionRisk.score

const claims: ReadonlyArray<readonly [claim: string, level: string, call: Call]> = [
  [
    "a tool called like a program is given its arguments",
    "critical",
    { actionType: "aws_cli", targetResource: "s3 rb s3://acme-invoices --force" }
  ],
  [
    "a tool called like a program may repeat the program's name",
    "critical",
    { actionType: "terraform", targetResource: "terraform destroy -auto-approve" }
  ],
  [
    "a program's own words may be harmless",
    "low",
    { actionType: "redis.command", targetResource: "INFO memory" }
  ],
  ["a name can be a command", "critical", { actionType: "ceph osd pool delete" }],
  [
    "a name can be a cmdlet",
    "critical",
    { actionType: "Set-OrganizationConfig", targetResource: "-AuditDisabled $true" }
  ],
  [
    "a network device is told to forget its routes",
    "critical",
    { actionType: "send_config_set", targetResource: "no router bgp 65010" }
  ],
  ["a network device is asked", "low", { actionType: "send_command", targetResource: "show ip bgp summary" }],
  [
    "a parameter says what is done to devices",
    "critical",
    { actionType: "bulk_device_action", targetResource: "group: All laptops, action: wipe" }
  ],
  [
    "a service that is called has a name of its own",
    "low",
    {
      actionType: "mcp__home-assistant__call_service",
      targetResource: "light.turn_on entity_id=light.kitchen"
    }
  ],
  [
    "a service that opens a door is as grave as the door",
    "high",
    { actionType: "mcp__home-assistant__call_service", targetResource: "lock.unlock entity_id=lock.front" }
  ],
  [
    "a method of a model may read",
    "low",
    { actionType: "execute_kw", targetResource: "sale.order search_count [[]]" }
  ],
  [
    "a method of a model that writes is asked about",
    "moderate",
    { actionType: "execute_kw", targetResource: "res.partner write [[7]] {'active': true}" }
  ],
  [
    "an operation is looked up under the service that is the target",
    "critical",
    { actionType: "DeleteDBCluster", targetSystem: "aurora" }
  ],
  ["a name of nouns that does something is unknown", "moderate", { actionType: "computer" }],
  [
    "what an agent may do without being asked is a right, on a laptop too",
    "high",
    {
      actionType: "Write",
      environment: "development",
      targetResource: '.claude/settings.json {"permissions":{"allow":["Bash(*)"]}}'
    }
  ],
  [
    "a click on the button that pays is the payment",
    "high",
    { actionType: "browser_click", targetResource: "button 'Confirm transfer'" }
  ],
  [
    "a read of a secret is asked about in development",
    "moderate",
    { actionType: "get_secret", environment: "development" }
  ],
  [
    "a file shared with a role that only reads is a shared file, and no change of a role",
    "moderate",
    { actionType: "share_file", targetSystem: "google_drive", targetResource: "list.gdoc role=commenter" }
  ],
  [
    "a file that is given away with its ownership is asked about by more than one",
    "critical",
    { actionType: "share_file", targetResource: "checklist.gdoc role=owner" }
  ],
  ["all services of a file of compose end", "high", { actionType: "docker_compose_down" }],
  ["verbs of other languages are verbs", "low", { actionType: "obtenerEstadoDespliegue" }]
]

describe("a call is read as it says:", () => {
  it.each(claims)("%s", (_, level, call) => {
    expect(levelOf(call)).toBe(level)
  })
})

describe("what is made for one pull request", () => {
  const deleted = { actionType: "delete_namespace", targetResource: "pr-12-preview" }

  it("is deleted without a question outside production", () => {
    expect(levelOf({ ...deleted, environment: "staging" })).toBe("low")
  })

  it("is no excuse in production, also where only the target names it", () => {
    expect(levelOf(deleted)).toBe("critical")
    expect(levelOf({ ...deleted, environment: "staging", targetSystem: "cluster-prod" })).toBe("critical")
  })
})

describe("prose that accompanies a call", () => {
  const words = fc.constantFrom(
    "wipe device",
    "factory reset",
    "preview",
    "dry run",
    "remote wipe of all phones",
    "cancel"
  )
  const names = fc.constantFrom(
    "update_device",
    "bulk_device_action",
    "delete_stack",
    "deploy_service",
    "get_device"
  )

  it("raises and never lowers", () => {
    fc.assert(
      fc.property(names, words, (actionType, actionDescription) => {
        expect(scoreOf({ actionType, actionDescription })).toBeGreaterThanOrEqual(scoreOf({ actionType }))
      }),
      { seed, numRuns: tries(60) }
    )
  })

  it("raises a call that says only that it acts on a device", () => {
    expect(levelOf({ actionType: "device_action", actionDescription: "factory reset of the laptop" })).toBe(
      "critical"
    )
  })
})

describe("a parameter that names a verb", () => {
  const names = fc.constantFrom("delete_user", "update_device", "purge_queue", "grant_role", "create_invoice")
  const values = fc.constantFrom("wipe", "delete", "list", "get", "preview", "disable", "create", "archive")

  it("never lowers what a name says that is understood", () => {
    fc.assert(
      fc.property(names, values, (actionType, value) => {
        const resource = `item 7, action: ${value}`
        const rank = (call: Call) => actionRiskLevels.indexOf(opinionOn(call).actionRisk.level)
        expect(rank({ actionType, targetResource: resource })).toBeGreaterThanOrEqual(
          rank({ actionType, targetResource: "item 7" })
        )
      }),
      { seed, numRuns: tries(60) }
    )
  })
})
