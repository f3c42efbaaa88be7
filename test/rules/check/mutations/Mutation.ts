/** One mistake in a clean file, and the one finding that must follow. */

import type { LintId } from "../../../../src/rules/Finding.ts"

export interface Mutation {
  readonly name: string
  readonly file: string
  /** Text that occurs once in the file, and its replacement. */
  readonly from: string
  readonly to: string
  readonly lint: LintId
  /** The file of the finding, if not the changed file. */
  readonly in?: string
  /** Text at the position of the finding, its first occurrence in the file; empty for the end of the file. */
  readonly at: string
  /** Part of its sentence. */
  readonly says: string
  readonly suggestion?: string
}

export const factor = "rules/factors/volume/HIGH_ENTITY_COUNT.json"
export const exporting = "rules/factors/data/SENSITIVE_EXPORT.json"
export const typology = "rules/typologies/bulk-deletion.json"
export const policySet = "policies/house/policy.json"
export const policy = "policies/house/exports-ask-legal.json"
export const noting = "policies/house/small-reads-are-noted.json"
export const reviewing = "policies/house/deletions-are-reviewed.json"
export const ruleset = "rules/ruleset.json"

/** Conditions of the clean files. */
export const high = `{ "fact": "entities_affected", "operator": "greaterThanInclusive", "value": 1000 }`
export const novel = `{ "fact": "destination_novel", "operator": "equal", "value": true }`
