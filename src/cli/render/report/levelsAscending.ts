/** The levels that an action risk can have, lowest first. */

import { type ActionRiskLevel, levels } from "../../../domain/Level.ts"

export const levelsAscending: ReadonlyArray<ActionRiskLevel> = levels.filter((level) => level !== "minimal")
