/** An act: one verb on one object, as the words of a call, a provider's catalogue or a command give it. */

import {
  type ActionClass,
  actionClasses,
  changeless,
  type DataClassification,
  dataClassifications,
  type Reversibility
} from "../../domain/Action.ts"

/** The attention that the bare act deserves in production, when nothing else is stated. Mildest first. */
export const impacts = ["low", "moderate", "high", "critical"] as const
export type Impact = (typeof impacts)[number]

/** How many things one such call touches. Narrowest first. */
export const extents = ["single", "list", "bulk", "everything"] as const
export type ActExtent = (typeof extents)[number]

/** One thing that a call does. */
export interface Deed {
  readonly class: ActionClass
  readonly impact: Impact
  /** How hard it is to undo, if the act itself gives that. */
  readonly reversibility?: Reversibility | undefined
  /** Undone easily by nature: archive, close. */
  readonly soft?: boolean
}

export interface Act extends Deed {
  /** `<object>.<verb>` */
  readonly type: string
  /** The other deeds of the same call: one for each class and way to undo it, with the gravest impact. */
  readonly others: ReadonlyArray<Deed>
  readonly extent: ActExtent
  /** The data that the object usually holds. */
  readonly holds: DataClassification
  /** As grave from a laptop or a sandbox as from production. */
  readonly anywhere: boolean
  /** Creates, rotates or reveals keys, passwords, tokens or secrets. */
  readonly credential: boolean
  /** Removes or weakens a protection or a trace. */
  readonly weakens: boolean
  /** Changes something on another machine or service, and the call does not say that this is not production. */
  readonly remote: boolean
}

/** The order of two readings: by impact, and of equal impact by class. Larger is riskier. */
export const riskOf = ({ class: own, impact }: Pick<Deed, "class" | "impact">): number =>
  impacts.indexOf(impact) * actionClasses.length + actionClasses.indexOf(own)

/** Whether a deed changes something, with more than a low impact. */
export const changes = ({ class: own, impact }: Pick<Deed, "class" | "impact">): boolean =>
  !changeless.has(own) && impact !== "low"

/** Marks an act on another machine or service that may be production. Acts that change nothing and acts of low impact stay as they are. */
export const remotely = <A extends Act>(act: A): A => (changes(act) ? { ...act, remote: true } : act)

/**
 * The same for a tool that acts elsewhere by its own name: such tools make everyday changes all day, so only grave ones count. A tool that
 * executes does what its command says.
 */
export const changesGravely = (deed: Deed): boolean =>
  changes(deed) && deed.class !== "execute" && impacts.indexOf(deed.impact) >= impacts.indexOf("high")

/** The riskier of two acts; the first of two that are as risky. */
export const riskiest = <A extends Act>(a: A, b: A): A => (riskOf(a) >= riskOf(b) ? a : b)

/** The value that comes later in its order. */
export const higher = <A extends string>(order: ReadonlyArray<A>, a: A, b: A | undefined): A =>
  b !== undefined && order.indexOf(b) > order.indexOf(a) ? b : a

const kindOfDeed = ({ class: own, reversibility, soft }: Deed): string =>
  `${own} ${reversibility ?? ""} ${soft === true}`

/** The gravest of the deeds that differ only in their impact, the riskiest first. Deeds of the same kind as the head are left out. */
const gravestOthers = (head: Deed, deeds: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const gravest = new Map<string, Deed>()
  const own = kindOfDeed(head)
  for (const { class: one, impact, reversibility, soft } of deeds) {
    const deed = { class: one, impact, reversibility, soft: soft === true }
    const kind = kindOfDeed(deed)
    const known = gravest.get(kind)
    if (kind !== own && (known === undefined || riskOf(deed) > riskOf(known))) gravest.set(kind, deed)
  }
  return [...gravest.values()].toSorted(
    (a, b) => riskOf(b) - riskOf(a) || (kindOfDeed(a) < kindOfDeed(b) ? -1 : 1)
  )
}

/**
 * Joins the acts of one call. The riskiest act names the call, the first among equals. The deeds of all of them count, and everything
 * that any of them reaches, holds, takes away or leaves behind. Laws: apart from the names, commutative, associative and idempotent,
 * and never milder than one of the acts.
 */
export const join = <A extends Act>(first: A, others: ReadonlyArray<Act>): A => {
  if (others.length === 0) return first
  let head: Act = first
  let { anywhere, credential, extent, holds, remote, weakens } = first
  const deeds: Array<Deed> = [first, ...first.others]
  for (const other of others) {
    if (riskOf(other) > riskOf(head)) head = other
    deeds.push(other, ...other.others)
    extent = higher(extents, extent, other.extent)
    holds = higher(dataClassifications, holds, other.holds)
    anywhere ||= other.anywhere
    credential ||= other.credential
    remote ||= other.remote
    weakens ||= other.weakens
  }
  const { class: own, impact, reversibility, soft, type } = head
  return {
    ...first,
    type,
    class: own,
    impact,
    reversibility,
    soft: soft === true,
    others: gravestOthers(head, deeds),
    anywhere,
    credential,
    extent,
    holds,
    remote,
    weakens
  }
}
