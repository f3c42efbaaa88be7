/** Renders a factor's message: placeholders become figures of the evaluation, and assumed ones say so. */

import { facts as factKinds, type FactName, type Facts } from "./Facts.ts"
import { renderFigure } from "./renderFigure.ts"

const assumedBy: Partial<Record<FactName, FactName>> = {
  entities_affected: "entities_missing",
  records_affected: "records_missing",
  financial_value_usd_cents: "financial_value_missing",
  data_classification_rank: "data_classification_missing",
  reversibility_rank: "reversibility_missing"
}

const factNames: ReadonlyMap<string, FactName> = new Map(
  Object.keys(factKinds).map((name) => [name, name as FactName])
)

/** Whether the figure was completed because the field was left out. */
export const isAssumed = (name: FactName, facts: Facts): boolean => {
  const missing = assumedBy[name]
  return missing !== undefined && facts[missing] === true
}

const tell = (name: FactName, facts: Facts): string => {
  const figure = renderFigure(name, facts[name])
  return isAssumed(name, facts) ? `an assumed ${figure}` : figure
}

/** Every `{fact}` as its figure; other braces stay as they are. */
export const renderMessage = (template: string, facts: Facts): string => {
  let told = ""
  let from = 0
  for (let open = template.indexOf("{"); open !== -1; open = template.indexOf("{", open + 1)) {
    const close = template.indexOf("}", open)
    if (close === -1) break
    const name = factNames.get(template.slice(open + 1, close))
    if (name === undefined) continue
    told += template.slice(from, open) + tell(name, facts)
    from = close + 1
  }
  return told + template.slice(from)
}
