/** Explains how a call is read with the knowledge of the organization's catalogue. */

import type { Action } from "../../domain/Action.ts"
import type { RiskModel } from "../Model.ts"
import { type ReadingEvidence, explainReading } from "../reading/explainReading.ts"
import { knowCall } from "./knowCall.ts"
import type { Knowledge } from "./OrganizationCatalogue.ts"

export const explainKnownReading = (
  action: Action,
  model: RiskModel,
  knowledge: Knowledge
): ReadonlyArray<ReadingEvidence> =>
  explainReading(action, model.lexicon, knowCall(action, model, knowledge).act)
