/** Actions of the agents of the sample history: some every few days, some once. */

import type { Action } from "../../../src/domain/Action.ts"

interface Routine {
  /** Days from one to the next. */
  readonly every: number
  /** `chance` is a number from 0 to 999 that differs from day to day. */
  readonly action: (chance: number) => Action
}

interface Incident {
  /** From 0, the first of December. */
  readonly day: number
  readonly action: Action
  readonly unread?: boolean
}

const small = {
  entitiesAffected: 1,
  recordsAffected: 1,
  financialValue: 0,
  privilegeChange: false,
  productionImpact: false
} as const

export const routines: ReadonlyArray<Routine> = [
  {
    every: 1,
    action: (chance) => ({
      ...small,
      actionType: "stripe.refunds.create",
      environment: "production",
      agentId: "billing-agent",
      targetSystem: "stripe",
      destination: "original payment method",
      financialValue: 20 + (chance % 60),
      currency: "USD",
      dataClassification: "internal",
      reversibility: "mostly_reversible"
    })
  },
  {
    every: 1,
    action: (chance) => ({
      ...small,
      actionType: "salesforce.reports.export",
      environment: "production",
      agentId: "crm-sync",
      targetSystem: "salesforce",
      destination: "s3://acme-reports/daily",
      entitiesAffected: 30 + (chance % 40),
      recordsAffected: 30 + (chance % 40),
      dataClassification: "internal",
      reversibility: "partially_reversible"
    })
  },
  {
    every: 1,
    action: () => ({
      ...small,
      actionType: "gmail.messages.send",
      environment: "production",
      agentId: "support-agent",
      destination: "customers who wrote first",
      dataClassification: "internal",
      reversibility: "irreversible"
    })
  },
  {
    every: 1,
    action: (chance) => ({
      actionType: "mcp__postgres__query",
      environment: "production",
      agentId: "analyst",
      targetResource: "orders",
      recordsAffected: 100 + chance,
      dataClassification: "confidential"
    })
  },
  {
    every: 2,
    action: () => ({
      ...small,
      actionType: "github.pulls.merge",
      environment: "staging",
      agentId: "release-bot",
      targetSystem: "github",
      targetResource: "acme/shop",
      dataClassification: "internal",
      reversibility: "mostly_reversible"
    })
  },
  { every: 2, action: () => ({ actionType: "slack.chat.postMessage", environment: "production" }) },
  {
    every: 3,
    action: (chance) => ({
      ...small,
      actionType: "sql.truncate",
      environment: "development",
      agentId: "test-runner",
      targetResource: "fixtures",
      entitiesAffected: 50 + (chance % 50),
      recordsAffected: 50 + (chance % 50),
      dataClassification: "public",
      reversibility: "fully_reversible"
    })
  },
  {
    every: 3,
    action: () => ({
      ...small,
      actionType: "k8s.deployments.scale",
      environment: "production",
      agentId: "ops-agent",
      targetSystem: "kubernetes",
      dataClassification: "internal",
      reversibility: "fully_reversible"
    })
  },
  {
    every: 7,
    action: (chance) => ({
      ...small,
      actionType: "stripe.payouts.create",
      environment: "production",
      agentId: "payables",
      destination: "Northwind Paper, account ending 2208",
      financialValue: 900 + (chance % 300),
      currency: "USD",
      dataClassification: "internal",
      reversibility: "difficult_to_reverse"
    })
  },
  {
    every: 7,
    action: () => ({
      ...small,
      actionType: "okta.users.roles.assign",
      environment: "production",
      agentId: "hr-agent",
      targetResource: "read-only",
      privilegeChange: true,
      dataClassification: "internal",
      reversibility: "fully_reversible"
    })
  },
  {
    every: 7,
    action: (chance) => ({
      actionType: "backup.create",
      environment: "production",
      agentId: "ops-agent",
      targetSystem: "postgres",
      recordsAffected: 80_000 + chance
    })
  }
]

const nightly = {
  ...small,
  environment: "production",
  dataClassification: "confidential",
  reversibility: "irreversible"
} as const

export const incidents: ReadonlyArray<Incident> = [
  // A new collector of webinar contacts, the case behind the first release.
  {
    day: 4,
    action: {
      ...nightly,
      actionType: "salesforce.contacts.export",
      agentId: "crm-sync",
      destination: "sftp://files.webinar-partner.example/incoming",
      entitiesAffected: 4_800,
      recordsAffected: 4_800
    }
  },
  // A gift to each of three customers: small money to someone new.
  ...[6, 13, 20].map((day, i) => ({
    day,
    action: {
      ...nightly,
      actionType: "stripe.payouts.create",
      agentId: "billing-agent",
      destination: `goodwill to customer ${i + 1}`,
      financialValue: 25,
      currency: "USD",
      dataClassification: "internal",
      reversibility: "difficult_to_reverse"
    } as const
  })),
  // The reports move to a bucket with almost the name of the old one, and stay there.
  ...Array.from({ length: 7 }, (_, i) => ({
    day: 18 + i,
    action: {
      ...small,
      actionType: "salesforce.reports.export",
      environment: "production",
      agentId: "crm-sync",
      destination: "s3://acme-reports/dailys",
      entitiesAffected: 40,
      recordsAffected: 40,
      dataClassification: "internal",
      reversibility: "partially_reversible"
    } as const
  })),
  // Data exported and then deleted, and logging that is switched off.
  {
    day: 9,
    action: {
      ...nightly,
      actionType: "customers.export_and_delete",
      agentId: "cleanup-agent",
      destination: "s3://acme-archive/2024",
      entitiesAffected: 400,
      recordsAffected: 2_000
    }
  },
  {
    day: 11,
    action: {
      actionType: "audit_logging.disable",
      environment: "production",
      agentId: "ops-agent",
      targetSystem: "postgres",
      dataClassification: "internal",
      reversibility: "fully_reversible"
    }
  },
  {
    day: 15,
    action: { actionType: "backup_policy.disable", environment: "production", agentId: "ops-agent" }
  },
  // An unnamed agent, at speed.
  { day: 10, action: { actionType: "shell.exec", environment: "production" } },
  { day: 16, action: { actionType: "customer.update", environment: "production", entitiesAffected: 3 } },
  {
    day: 17,
    action: {
      ...nightly,
      actionType: "stripe.payouts.create",
      financialValue: 250_000,
      currency: "USD",
      destination: "bank account ending 4471, First Meridian Bank"
    }
  },
  {
    day: 22,
    action: {
      actionType: "DROP TABLE",
      environment: "staging",
      targetSystem: "prod-db",
      targetResource: "orders"
    }
  },
  {
    day: 23,
    action: {
      ...nightly,
      actionType: "hubspot.marketing_emails.send",
      agentId: "newsletter",
      destination: "newsletter subscribers",
      entitiesAffected: 42_000,
      recordsAffected: 42_000,
      dataClassification: "internal"
    }
  },
  {
    day: 27,
    action: {
      ...small,
      actionType: "iam:AttachUserPolicy",
      environment: "production",
      agentId: "ops-agent",
      targetResource: "AdministratorAccess",
      privilegeChange: true,
      reversibility: "mostly_reversible"
    }
  },
  // The database was down for a minute.
  {
    day: 12,
    unread: true,
    action: { actionType: "customer.read", environment: "production", agentId: "analyst" }
  },
  {
    day: 12,
    unread: true,
    action: { ...nightly, actionType: "invoice.send", agentId: "billing-agent", destination: "a customer" }
  }
]
