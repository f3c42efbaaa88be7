/** What history needs of an action: the keys its snapshot is read by, and the figures that later snapshots count. */

import type { ActionCategory, ActionClass } from "../domain/ActionType.ts"

export interface HistoryRecord {
  readonly normalizedActionType: string
  readonly actionClass: ActionClass
  readonly actionCategory: ActionCategory
  readonly agentId: string | null
  /** NFKC, trimmed, lower-cased; of a URL the host and path. */
  readonly destinationKey: string | null
  /** As the caller stated them; null when left out. Baselines are made of these. */
  readonly statedEntities: number | null
  readonly statedUsdCents: number | null
  /** As scored: completed where left out. 24 h sums are made of these, so that leaving out never hides volume. */
  readonly scoredEntities: number
  readonly scoredUsdCents: number
  /** RFC 8785 form of the scored fields (no metadata, context or description); its SHA-256 is the fingerprint. */
  readonly canonicalForm: string
}
