/** Factors, typologies and policy rules that were added, removed, or raise something else than before. */

import { isDeepStrictEqual } from "node:util"
import type { Numbers } from "../../scoring/Model.ts"
import { byCodeUnit } from "../byCodeUnit.ts"
import { type Ladder, policyLadders, ruleLadders } from "../ladders.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { SourceFile } from "../SourceFile.ts"
import { compareLadders } from "./compareLadders.ts"
import type { Unwitnessed } from "./Diff.ts"
import { kindOf } from "./kindOf.ts"
import { searchLadder } from "./searchLadder.ts"
import { gradeOf, isSame, nothing } from "./grade.ts"
import { changedLadder, describeRule } from "./words/changedLadder.ts"
import { changedTexts } from "./words/changedTexts.ts"

interface Entry {
  readonly ladder: Ladder
  readonly json: unknown
}
type Entries = ReadonlyMap<string, Entry>

const entriesOf = ({ policies, release }: Rulebook): Entries => {
  const { factors, typologies } = release.files
  const sources: ReadonlyArray<SourceFile> = [...factors, ...typologies, ...policies.files.rules]
  const jsonOf = new Map(sources.map(({ json, name }) => [name, json]))
  const ladders: ReadonlyArray<Ladder> = [...ruleLadders(release), ...policyLadders(policies)]
  return new Map(ladders.map((ladder) => [ladder.code, { ladder, json: jsonOf.get(ladder.code) }]))
}

const nouns: Readonly<Record<Ladder["kind"], string>> = {
  factor: "factor",
  typology: "typology",
  policy: "policy rule"
}

const none = { phrases: [], details: [] }

const lines = (label: string, ladder: Ladder | undefined): ReadonlyArray<string> =>
  ladder === undefined ? [] : ladder.rules.map((rule) => `${label} ${describeRule(rule)}`)

const canRaise = ({ rules }: Ladder): boolean => rules.some((rule) => !isSame(gradeOf(rule), nothing))

const rulesOf = ({ rules }: Ladder): string => rules.map(describeRule).join("; ")

/** What became of the rules, in plain words; nothing where only words changed. */
const phrasesOf = (from: Ladder | undefined, to: Ladder | undefined): ReadonlyArray<string> => {
  if (from !== undefined && to !== undefined) return changedLadder(from, to)
  if (to !== undefined) return [`new ${nouns[to.kind]}: ${rulesOf(to)}`]
  return from === undefined ? [] : [`${nouns[from.kind]} removed: was ${rulesOf(from)}`]
}

const changeOf = (
  code: string,
  from: Entry | undefined,
  to: Entry | undefined,
  numbers: ReadonlyArray<Numbers>
): ReadonlyArray<Unwitnessed> => {
  const ladder = to?.ladder ?? from?.ladder
  if (ladder === undefined || isDeepStrictEqual(from?.json, to?.json)) return []
  const comparison = compareLadders(from?.ladder, to?.ladder, numbers)
  const kind = kindOf(comparison.up.length > 0, comparison.down.length > 0)
  const texts = from === undefined || to === undefined ? none : changedTexts(from.json, to.json)
  const phrases = phrasesOf(from?.ladder, to?.ladder)
  const rewritten = kind === "text" && phrases.length > 0 && canRaise(ladder)
  const told = rewritten ? ["raises the same, written differently"] : phrases
  const rules = [...lines("was", from?.ladder), ...lines("is", to?.ladder)]
  return [
    {
      code,
      kind,
      file: ladder.file,
      summary: [...told, ...texts.phrases].join("; ") || "written differently",
      details: [...(phrases.length > 0 ? rules : []), ...texts.details],
      search: kind === "text" ? null : searchLadder(ladder, comparison)
    }
  ]
}

export const diffLadders = (from: Rulebook, to: Rulebook): ReadonlyArray<Unwitnessed> => {
  const [before, after] = [entriesOf(from), entriesOf(to)]
  const [a, b] = [from.release.model.numbers, to.release.model.numbers]
  const numbers = isDeepStrictEqual(a, b) ? [b] : [b, a]
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .flatMap((code) => changeOf(code, before.get(code), after.get(code), numbers))
}
