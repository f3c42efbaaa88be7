/** The requests of a load: no two assessments alike, with a key each, as agents of one organization would send them. */

import { assessPath } from "../../src/api/Actions.ts"

export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const actions = [
  "salesforce.contacts.export",
  "stripe.refund.create",
  "s3:DeleteObject",
  "crm.records.update"
]
const environments = ["production", "staging", "development"]
const classifications = ["public", "internal", "confidential", "regulated"]

const pick = (from: ReadonlyArray<string>, i: number): string => from[i % from.length] ?? ""

/** A key is of visible characters. `run` keeps those of one load apart from those of the others. */
export const assessRequest = (run: string, i: number, key: string): Request => ({
  method: "POST",
  path: assessPath,
  headers: {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": `${run.replaceAll(/[^a-z0-9]+/g, "-")}-${i}`
  },
  body: JSON.stringify({
    action_type: pick(actions, i),
    environment: pick(environments, i >> 2),
    agent_id: `agent-${i % 40}`,
    target_system: "salesforce",
    target_resource: `table-${i % 300}`,
    entities_affected: (i * 7_919) % 50_000,
    financial_value: ((i * 104_729) % 2_000_000) / 100,
    currency: "USD",
    destination: `https://files-${i % 150}.partner.example/upload`,
    data_classification: pick(classifications, i >> 4),
    reversibility: "partially_reversible",
    privilege_change: false,
    production_impact: i % 5 === 0,
    action_description: `Weekly export number ${i} for the partner team`,
    metadata: { ticket: `OPS-${i}` }
  })
})

export const getRequest = (path: string, key: string): Request => ({
  method: "GET",
  path,
  headers: { authorization: `Bearer ${key}` }
})
