/** A request as JSON to paste into a case. */

import type { SituationJson } from "../../../rules/witness/Witness.ts"
import { seen } from "./seen.ts"

/** What stands in a case: the situation without its scores. */
export const asCase = ({ history, request }: SituationJson): SituationJson =>
  history === undefined ? { request } : { request, history }

export const pasteable = (json: unknown): string => seen(JSON.stringify(json, null, 2))
