/** Every number of the model, read from the rule files, so that tuning them needs no second hand here. */

import currencyFile from "../../rules/currencies.json" with { type: "json" }
import release from "../../rules/releases/1.1.0.json" with { type: "json" }
import type { DataClassification, Reversibility } from "../../src/domain/Action.ts"
import type { Edition1Class } from "../../src/scoring/edition1/NormalizedAction.ts"

const { ruleset } = release
export const numbers = ruleset
export const currencies: Readonly<
  Record<string, { exponent: number; usd_per_unit: string; not_circulating?: boolean }>
> = currencyFile.currencies

/** What the fields of a class may be taken for. TypeScript reads the names in a JSON file as any string. */
export type Bounds = typeof ruleset.classes.read.ceilings & {
  readonly data_classification: DataClassification
  readonly reversibility: Reversibility
}
export const ceilingsOf = (verb: Edition1Class) => ruleset.classes[verb].ceilings as Bounds
export const referencesOf = (verb: Edition1Class, production: boolean) =>
  ruleset.classes[verb].references[production ? "production" : "other"] as Bounds
export const reversibilityFloorOf = (verb: Edition1Class) =>
  ruleset.classes[verb].reversibility_floor as Reversibility
