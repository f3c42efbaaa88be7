/** Numbers of the ruleset that changed, each by its path in the file. */

import type { Situation } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"
import type { ChangeSearch, Unwitnessed } from "./Diff.ts"
import type { Direction } from "./Direction.ts"
import { kindOf } from "./kindOf.ts"
import { directionOf } from "./numbers/directionOf.ts"
import { probesOver } from "./probes.ts"
import { patched } from "./numbers/patched.ts"
import { scoreMoves } from "./scoreMoves.ts"
import { changedFigure } from "./words/changedFigure.ts"

/** By that number alone, and between the rulebooks as they are. */
const shows =
  (changed: ChangedPath, direction: Direction): ChangeSearch["shows"] =>
  (sight) => {
    const alone = patched(sight.from, changed.path, changed.to)
    const wanted = scoreMoves(direction)(sight)
    if (alone === null) return wanted
    const byItself = scoreMoves(direction)({ ...sight, to: alone })
    return wanted.map(
      (between, i) => (situation: Situation) => between(situation) && (byItself[i]?.(situation) ?? false)
    )
  }

const changeOf = (changed: ChangedPath, file: string): Unwitnessed => {
  const direction = directionOf(changed)
  return {
    code: ["ruleset", ...changed.path].join("."),
    kind: kindOf(direction.rises, direction.falls),
    file,
    summary: changedFigure(changed),
    details: [],
    search: {
      shows: shows(changed, direction),
      known: ({ lifelike, to }) => [...lifelike, ...probesOver(to.release.model.lexicon)],
      boxes: () => []
    }
  }
}

/** The version of a ruleset is its name, not a change. */
export const diffNumbers = (from: Rulebook, to: Rulebook): ReadonlyArray<Unwitnessed> => {
  const [before, after] = [from.release.files.ruleset, to.release.files.ruleset]
  return changedPaths(before.json, after.json)
    .filter(({ path }) => path[0] !== "version")
    .map((changed) => changeOf(changed, after.file))
}
