/** Changed knowledge: the lexicon files that differ, and how the calls of the corpus move, by kind. */

import type { Rulebook } from "../Rulebook.ts"
import { isFall, isRise } from "../ScoreAndControl.ts"
import {
  differingParts,
  type KnowledgeComparison,
  type KnowledgeKind,
  type KnowledgeMove
} from "../corpus/compareKnowledge.ts"
import { lexiconPart, type SourceFile } from "../files/readTree.ts"
import { type Change, changeKindOf } from "./Diff.ts"
import { changedPaths } from "./changedPaths.ts"

const folder = "rules/lexicon"

const byPart = (sources: ReadonlyArray<SourceFile>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(sources.map((source) => [lexiconPart(source), source.json]))

const placesShownMax = 5

/** `programs/git: forms, values` */
const fileText = (part: string, from: unknown, to: unknown): string => {
  if (from === undefined || to === undefined) return `${part}: ${from === undefined ? "added" : "removed"}`
  const places = [...new Set(changedPaths(from, to).map(({ path }) => path.slice(0, 2).join(".")))]
  const more = places.length - placesShownMax
  return `${part}: ${places.slice(0, placesShownMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** Every file that differs, even if only in reasons, with the places that changed. */
const changedFiles = (from: Rulebook, to: Rulebook): ReadonlyArray<string> => {
  const [before, after] = [byPart(from.release.files.lexicon), byPart(to.release.files.lexicon)]
  return differingParts(before, after).map((part) => fileText(part, before[part], after[part]))
}

const callText = ({ levels, witness: { from, request, to } }: KnowledgeMove): string => {
  const score = `${from.score} → ${to.score}${levels === "" ? "" : `, ${levels}`}`
  const control = from.control === to.control ? "" : `, ${from.control} → ${to.control}`
  const called = request.target_resource ?? request.target_system
  const call = called === undefined ? request.action_type : `${request.action_type} on ${called}`
  return `${score}${control}: ${call} in ${request.environment}`
}

/** `3 answers fall, 1 rises` */
export const countsOfKind = ({ falls, rises }: KnowledgeKind): string =>
  [
    ...(falls > 0 ? [`${falls} ${falls === 1 ? "answer falls" : "answers fall"}`] : []),
    ...(rises > 0 ? [`${rises} ${rises === 1 ? "rises" : "rise"}`] : [])
  ].join(", ")

const changeOfKind = (kind: KnowledgeKind): Change => {
  const levels = Object.entries(kind.levels).map(([move, count]) => `${count} ${move}`)
  const [first] = kind.shown
  const rising = kind.shown.find(isRise)
  return {
    code: kind.code,
    kind: changeKindOf(kind.rises > 0, kind.falls > 0),
    file: folder,
    summary: [`${kind.says}: ${countsOfKind(kind)}`, ...levels].join("; "),
    details: kind.shown.map(callText),
    ...(first === undefined ? {} : { witness: first.witness }),
    ...(first === undefined || !isFall(first) || rising === undefined
      ? {}
      : { risingWitness: rising.witness })
  }
}

/** How many calls were read, and how many of them are read differently. */
export const scopeOfKnowledge = ({ calls, differing, files }: KnowledgeComparison): string =>
  `${files.length} ${files.length === 1 ? "file of the lexicon says" : "files of the lexicon say"} something else; of ${calls} calls ${differing} are read differently`

/** `knowledge`: null if no file differs in a way that affects scores. Ascending by code. */
export const diffKnowledge = (
  from: Rulebook,
  to: Rulebook,
  knowledge: KnowledgeComparison | null
): ReadonlyArray<Change> => {
  const details = changedFiles(from, to)
  if (details.length === 0) return []
  const kinds = (knowledge?.kinds ?? []).map(changeOfKind)
  const [rises, falls] = [
    kinds.some(({ kind }) => kind === "stricter" || kind === "moved"),
    kinds.some(({ kind }) => kind === "looser" || kind === "moved")
  ]
  return [
    {
      code: "lexicon",
      // Calls outside the corpus may be read differently.
      kind: knowledge === null ? "text" : kinds.length === 0 ? "moved" : changeKindOf(rises, falls),
      file: folder,
      summary: knowledge === null ? "reasons and alternatives reworded" : scopeOfKnowledge(knowledge),
      details
    },
    ...kinds
  ]
}
