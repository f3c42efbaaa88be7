/** The thresholds that tests of snapshots share: all days before today are evidence, and one day is enough for a pace. */

import type { BaselineSettings } from "../../src/scoring/Numbers.ts"

export const baseline: BaselineSettings = {
  windowDays: 30,
  establishedDaysMin: 3,
  establishedHoursMin: 24,
  evidenceHoursMin: 0,
  velocityDaysMin: 1,
  velocityHoursMin: 1,
  counterDigitsMax: 0
}
