/** The order in which matches of one factor outrank each other: severity, then hazard; strongest first. */

import { severities } from "../domain/RiskFactor.ts"
import type { FactorMatch } from "../scoring/Model.ts"

export const bySeverity = (a: FactorMatch, b: FactorMatch): number =>
  severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.hazardBp - a.hazardBp
