/** Requests that lean on what could let a score fall: more likely to show it than any others. */

import type { Situation } from "../cases.ts"
import { probesOver } from "../diff/probes.ts"
import type { Rulebook } from "../Rulebook.ts"
import { amounts } from "./leaning/amounts.ts"
import { pasts } from "./leaning/pasts.ts"
import { histories } from "./leaning/histories.ts"
import { silences } from "./leaning/silences.ts"

const currencyCodes = (doubts: ReadonlyArray<string>): ReadonlyArray<string> =>
  doubts.flatMap((code) => (code.startsWith("currencies.") ? [code.slice("currencies.".length)] : []))

const isAbout = (doubts: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean =>
  doubts.some((code) => parts.some((part) => code.startsWith(`ruleset.${part}`)))

/** Lazily: most often the first few show it. */
export function* leaning(from: Rulebook, to: Rulebook, doubts: ReadonlyArray<string>): Generator<Situation> {
  yield* probesOver(from.release.model.lexicon)
  yield* amounts(from, currencyCodes(doubts))
  yield* pasts(from, to, currencyCodes(doubts))
  if (isAbout(doubts, ["behavior", "cumulative_steps"])) yield* histories(from, to)
  if (isAbout(doubts, ["classes", "single", "gates", "also_exports_leave"])) {
    yield* silences(from.release.model)
  }
}
