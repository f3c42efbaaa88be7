/** Applies an entry of the organization's catalogue to the act that a call's words name: supplies an unknown act, or corrects a known one. */

import {
  type ActionClass,
  actionClasses,
  type DataClassification,
  dataClassifications
} from "../../domain/Action.ts"
import { extents, higher, type Impact, impacts } from "../reading/Act.ts"
import type { Vocabulary } from "../reading/Vocabulary.ts"
import type { ImpactTable, NameReading } from "../reading/readName.ts"
import type { KnownAct } from "./OrganizationCatalogue.ts"

/** The vocabulary of a release and its table of impacts. */
interface Words {
  readonly vocabulary: Vocabulary
  readonly impacts: ImpactTable
}

/** For each class, the one milder class that an entry may assign instead. */
const milder: Partial<Readonly<Record<ActionClass, ActionClass>>> = {
  simulate: "internal",
  read: "simulate",
  write: "read",
  configure: "write",
  deploy: "configure",
  export: "communicate"
}

/**
 * An act that pays, sends, moves something physical or changes rights keeps its class, because any other class would hide its specific
 * risk.
 */
const kept: ReadonlySet<ActionClass> = new Set<ActionClass>(["communicate", "transact", "actuate", "access"])

type Nameable = Pick<NameReading, "class" | "extent" | "impact" | "verb" | "weakens">

const takesAway = (own: ActionClass | undefined): boolean => own === "delete" || own === "destroy"

/**
 * Acts that entries cannot make milder: deletions, by class or by verb (deleting a user counts as a change of rights), critical acts, acts
 * that remove a safeguard or an audit trail, and acts that reach everything.
 */
export const isGrave = (
  { class: own, extent, impact, verb = "", weakens }: Nameable,
  { phrases, words }: Vocabulary
): boolean =>
  takesAway(own) ||
  extent === "everything" ||
  impact === "critical" ||
  weakens ||
  takesAway((words.get(verb)?.verb ?? phrases.byName.get(verb))?.class)

/** Whether an entry that assigns the class `to` to such an act has any effect. */
export const mayBeCalled = (act: Nameable, to: ActionClass, vocabulary: Vocabulary): boolean => {
  const from = act.class
  if (to === from || from === "unknown") return true
  const riskier = actionClasses.indexOf(to) > actionClasses.indexOf(from)
  if (isGrave(act, vocabulary)) return from === "delete" && to === "destroy"
  if (from === "export" || !riskier) return milder[from] === to
  return !kept.has(from)
}

/** The impact of a class on such an object, unless an entry states one. */
const usualImpact = (
  own: ActionClass,
  { kind }: NameReading,
  holds: DataClassification,
  table: ImpactTable
): Impact => {
  const { impact, kinds } = table.classes[own]
  return higher(impacts, kinds?.[kind]?.impact ?? impact, table.holds[own]?.[holds])
}

/** An entry lowers an impact by at most one step. */
const oneBelow = (impact: Impact): Impact => impacts[Math.max(0, impacts.indexOf(impact) - 1)] ?? impact

const corrected = (
  act: NameReading,
  known: KnownAct,
  onlyRaises: boolean,
  { impacts: table, vocabulary }: Words
): NameReading => {
  const to = known.class
  const falls = to !== undefined && actionClasses.indexOf(to) < actionClasses.indexOf(act.class)
  const bound = onlyRaises || isGrave(act, vocabulary)
  const called = to !== undefined && mayBeCalled(act, to, vocabulary) && !(falls && bound)
  const own = called ? to : act.class
  const holds = higher(dataClassifications, act.holds, known.holds)
  const least = bound || act.class === "unknown" ? act.impact : oneBelow(act.impact)
  const rises = own !== act.class && !falls
  const impact =
    known.impact === undefined
      ? higher(impacts, act.impact, rises ? usualImpact(own, act, holds, table) : undefined)
      : higher(impacts, least, known.impact)
  const extent = higher(extents, act.extent, known.extent)
  const same = own === act.class && impact === act.impact && extent === act.extent && holds === act.holds
  return same ? act : { ...act, class: own, impact, extent, holds }
}

/**
 * The act as the organization knows it, or `act` itself if the organization adds nothing. `onlyRaises`: the tool takes a command, which
 * decides the effect, so entries cannot lower it.
 */
export const nameAct = (
  act: NameReading,
  known: KnownAct,
  onlyRaises: boolean,
  words: Words
): NameReading => {
  const named = act.class === "unknown" ? known.class : undefined
  if (named === undefined || onlyRaises || isGrave(act, words.vocabulary))
    return corrected(act, known, onlyRaises, words)
  const holds = higher(dataClassifications, act.holds, known.holds)
  return {
    ...act,
    class: named,
    impact: known.impact ?? usualImpact(named, act, holds, words.impacts),
    extent: known.extent ?? act.extent,
    holds,
    hinted: false
  }
}
