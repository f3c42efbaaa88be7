/** The ink of a level or a severity: the more it asks for attention, the louder. */

import type { Level } from "../../domain/Level.ts"
import type { Style } from "./Sheet.ts"

/** Severities and priorities are spelled like levels. */
export const styleOf: Readonly<Record<Level, Style>> = {
  minimal: "green",
  low: "green",
  moderate: "yellow",
  high: "red",
  critical: "alarm"
}
