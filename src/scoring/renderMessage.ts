/** Renders a factor's message: placeholders become figures of the evaluation, and assumed ones say so. */

import { facts as factKinds, type FactName, type Facts } from "./Facts.ts"
import { renderFigure } from "./renderFigure.ts"

const placeholder = /\{([a-z0-9_]+)\}/g

const assumedBy: Partial<Record<FactName, FactName>> = {
  entities_affected: "entities_missing",
  records_affected: "records_missing",
  financial_value_usd_cents: "financial_value_missing",
  data_classification_rank: "data_classification_missing",
  reversibility_rank: "reversibility_missing"
}

const isFact = (name: string): name is FactName => Object.hasOwn(factKinds, name)

/** Whether the figure was completed because the field was left out. */
export const isAssumed = (name: FactName, facts: Facts): boolean => {
  const missing = assumedBy[name]
  return missing !== undefined && facts[missing] === true
}

export const renderMessage = (template: string, facts: Facts): string =>
  template.replace(placeholder, (whole, name: string) => {
    if (!isFact(name)) return whole
    const figure = renderFigure(name, facts[name])
    return isAssumed(name, facts) ? `an assumed ${figure}` : figure
  })
