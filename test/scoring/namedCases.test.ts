/** The cases that hold in any case (scoring.md §8): what people expect of well-known calls. */

import { describe, expect, it } from "vitest"
import { type Action, environments } from "../../src/domain/Action.ts"
import type { ActionRiskLevel, Opinion } from "../../src/domain/Opinion.ts"
import { destinations, firstOpinionOn, opinionOn } from "../support/opine.ts"

const small: Omit<Action, "actionType" | "environment"> = {
  agentId: "agent",
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  currency: "USD",
  dataClassification: "internal",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false
}

const inProduction = (actionType: string, more: Partial<Action> = {}): Action => ({
  actionType,
  environment: "production",
  ...more
})

type Case = readonly [name: string, opinion: Opinion, ...levels: ReadonlyArray<ActionRiskLevel>]

const stated: ReadonlyArray<Case> = [
  ["list own calendar", opinionOn(inProduction("calendar.events.list", small)), "low"],
  [
    "refund 40 USD to a known customer",
    opinionOn(
      inProduction("refund.create", {
        ...small,
        financialValue: 40,
        reversibility: "mostly_reversible",
        destination: "cus"
      }),
      destinations.established
    ),
    "low"
  ],
  [
    "send one e-mail to a known recipient",
    opinionOn(inProduction("send_email", { destination: "a@b.example" }), destinations.established),
    "low",
    "moderate"
  ],
  ["deploy to staging", opinionOn({ ...small, actionType: "service.deploy", environment: "staging" }), "low"],
  [
    "export 50 internal rows to a destination used for months",
    opinionOn(
      inProduction("report.export", {
        ...small,
        recordsAffected: 50,
        entitiesAffected: 50,
        destination: "x"
      }),
      destinations.established
    ),
    "low",
    "moderate"
  ],
  [
    "export 4,800 confidential entities to a novel destination",
    opinionOn(
      inProduction("customer.export", {
        entitiesAffected: 4_800,
        dataClassification: "confidential",
        destination: "x"
      }),
      destinations.novel
    ),
    "critical"
  ],
  [
    "wire 250,000 USD irreversibly to a novel destination",
    opinionOn(
      inProduction("wire_transfer", {
        financialValue: 250_000,
        currency: "USD",
        reversibility: "irreversible",
        destination: "x"
      }),
      destinations.novel
    ),
    "critical"
  ],
  [
    "pay 900 USD to a known supplier, difficult to reverse",
    opinionOn(
      inProduction("supplier.pay", {
        ...small,
        financialValue: 900,
        reversibility: "difficult_to_reverse",
        destination: "x"
      }),
      destinations.established
    ),
    "moderate"
  ],
  [
    "480,000 USD to a payee first asked about an hour ago with 0.01 USD",
    opinionOn(
      inProduction("payment.create", { financialValue: 480_000, currency: "USD", destination: "x" }),
      destinations.warmedUp
    ),
    "critical"
  ],
  [
    "send one e-mail to a new recipient, internal data",
    opinionOn(
      inProduction("send_email", {
        destination: "x@y.example",
        dataClassification: "internal",
        entitiesAffected: 1
      }),
      destinations.novel
    ),
    "low",
    "moderate"
  ],
  [
    "grant one user a read-only role in staging",
    opinionOn({
      actionType: "role.grant",
      environment: "staging",
      targetResource: "read-only",
      entitiesAffected: 1
    }),
    "moderate"
  ],
  [
    "truncate a development table of 100 test rows",
    opinionOn({
      actionType: "truncate_table",
      environment: "development",
      recordsAffected: 100,
      targetResource: "test"
    }),
    "low",
    "moderate"
  ],
  [
    "merge a pull request to main, production impact stated false",
    opinionOn(inProduction("merge_pull_request", { targetResource: "main", productionImpact: false })),
    "moderate"
  ],
  ...["label_issue", "book_meeting", "save_draft"].map((name): Case => [
    name,
    opinionOn(inProduction(name, small)),
    "low"
  ])
]

const bare: ReadonlyArray<Case> = [
  ...["payment", "payout", "payment.create", "transfer_funds", "payout.create", "make_payment"].map(
    (name): Case => [name, firstOpinionOn(inProduction(name)), "high"]
  ),
  ...["refund.create", "payment.capture"].map((name): Case => [
    name,
    firstOpinionOn(inProduction(name)),
    "moderate",
    "high"
  ]),
  ["grant an admin role", firstOpinionOn(inProduction("grant_admin_role")), "high", "critical"],
  ["drop the production database", firstOpinionOn(inProduction("database.drop")), "critical"],
  [
    "drop it with entities_affected 1",
    firstOpinionOn(inProduction("database.drop", { entitiesAffected: 1 })),
    "critical"
  ],
  ["run a shell command", firstOpinionOn(inProduction("run_shell_command")), "high"],
  ["read one patient record", firstOpinionOn(inProduction("patient_record.read")), "moderate"],
  ["delete one contact", firstOpinionOn(inProduction("contact.delete")), "moderate"],
  ["an unknown verb", firstOpinionOn(inProduction("acme.frobnicate")), "moderate", "high"],
  ...["...", "\u{1F642}", "the", "everything", "deletion", "migration"].map((name): Case => [
    `${name}, which names no verb`,
    firstOpinionOn(inProduction(name)),
    "moderate",
    "high"
  ]),
  ...["get_payout", "payment_history", "customers", "calendar"].map((name): Case => [
    name,
    firstOpinionOn(inProduction(name)),
    "low"
  ]),
  ...["SlashCommand", "sub_issue_write", "reprioritize_sub_issue", "invokeSubAgent"].map((name): Case => [
    `${name}, which pays nothing`,
    firstOpinionOn(inProduction(name)),
    "low"
  ]),
  ...["run_tests", "delete_memory", "notify_team"].map((name): Case => [
    `${name}, which docs/threat-model.md names as of low impact`,
    firstOpinionOn(inProduction(name)),
    "low"
  ]),
  [
    "e-mail 200,000 customers",
    firstOpinionOn(inProduction("send_email", { entitiesAffected: 200_000 })),
    "high"
  ],
  [
    "run the unit tests in a sandbox",
    firstOpinionOn({ actionType: "run_tests", environment: "sandbox" }),
    "low"
  ],
  ...["git status", "ls", "npm test"].map((command): Case => [
    command,
    firstOpinionOn({ actionType: "Bash", environment: "development", targetResource: command }),
    "low"
  ]),
  [
    "rm -rf / as the command",
    firstOpinionOn({ actionType: "Bash", environment: "development", targetResource: "rm -rf /" }),
    "critical"
  ],
  [
    "rm -rf / in the description",
    firstOpinionOn({ actionType: "Bash", environment: "development", actionDescription: "rm -rf /" }),
    "critical"
  ]
]

const harmless = [
  "list_issues",
  "web_search",
  "add_reaction",
  "add_comment",
  "read_file",
  "Grep",
  "mcp__linear__update_issue"
].flatMap((name) =>
  environments.map((environment): Case => [
    `${name} in ${environment}`,
    firstOpinionOn({ actionType: name, environment }),
    "low"
  ])
)

describe("what people expect of", () => {
  it.each([...stated, ...bare, ...harmless].map(([name, opinion, ...levels]) => ({ name, opinion, levels })))(
    "$name: $levels",
    ({ levels, opinion }) => {
      expect(levels).toContain(opinion.actionRisk.level)
    }
  )

  it("one public record in development, everything stated: at most 10", () => {
    const action: Action = {
      ...small,
      actionType: "record.read",
      environment: "development",
      dataClassification: "public"
    }
    expect(opinionOn(action).actionRisk.score).toBeLessThanOrEqual(10)
  })
})
