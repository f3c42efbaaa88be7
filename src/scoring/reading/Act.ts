/** An act: one verb applied to one object, as given by the words of a call, a provider's catalogue, or a command. */

import {
  type ActionClass,
  actionClasses,
  changeless,
  type DataClassification,
  dataClassifications,
  type Reversibility
} from "../../domain/Action.ts"

/** How much attention the act alone deserves in production, with nothing else stated. Mildest first. */
export const impacts = ["low", "moderate", "high", "critical"] as const
export type Impact = (typeof impacts)[number]

/** How many things one such call touches. Narrowest first. */
export const extents = ["single", "list", "bulk", "everything"] as const
export type ActExtent = (typeof extents)[number]

/** One thing that a call does. */
export interface Deed {
  readonly class: ActionClass
  readonly impact: Impact
  /** How hard the act is to undo. Absent: the act does not determine it. */
  readonly reversibility?: Reversibility | undefined
  /** Easy to undo by its nature, like archive or close. */
  readonly soft?: boolean
}

export interface Act extends Deed {
  /** `<object>.<verb>` */
  readonly type: string
  /** The other deeds of the call: one for each combination of class and way to undo it, with its gravest impact. */
  readonly others: ReadonlyArray<Deed>
  readonly extent: ActExtent
  /** The sensitivity of the data that such an object usually holds. */
  readonly holds: DataClassification
  /** Equally grave whether run in production, on a laptop or in a sandbox. */
  readonly anywhere: boolean
  /** Creates, rotates or reveals keys, passwords, tokens or secrets. */
  readonly credential: boolean
  /** Removes or weakens a safeguard or an audit trail. */
  readonly weakens: boolean
  /** Changes something on another machine or service, and nothing in the call shows that it is not production. */
  readonly remote: boolean
}

/** Ranks two readings by impact, then by class. Larger is riskier. */
export const riskOf = ({ class: own, impact }: Pick<Deed, "class" | "impact">): number =>
  impacts.indexOf(impact) * actionClasses.length + actionClasses.indexOf(own)

/** Whether a deed changes something, with more than a low impact. */
export const changes = ({ class: own, impact }: Pick<Deed, "class" | "impact">): boolean =>
  !changeless.has(own) && impact !== "low"

/** Marks an act on another machine or service as one that may hit production. Acts that change nothing or have low impact stay unmarked. */
export const remotely = <A extends Act>(act: A): A => (changes(act) ? { ...act, remote: true } : act)

/**
 * Like `changes`, for tools whose name says that they act elsewhere. Such tools make routine changes all day, so only grave ones count. A
 * tool that executes is excluded: its command decides.
 */
export const changesGravely = (deed: Deed): boolean =>
  changes(deed) && deed.class !== "execute" && impacts.indexOf(deed.impact) >= impacts.indexOf("high")

/** The riskier of two acts, or the first if they are equally risky. */
export const riskiest = <A extends Act>(a: A, b: A): A => (riskOf(a) >= riskOf(b) ? a : b)

/** Whichever of two values comes later in `order`. */
export const higher = <A extends string>(order: ReadonlyArray<A>, a: A, b: A | undefined): A =>
  b !== undefined && order.indexOf(b) > order.indexOf(a) ? b : a

const kindOfDeed = ({ class: own, reversibility, soft }: Deed): string =>
  `${own} ${reversibility ?? ""} ${soft === true}`

/** Drops deeds of the same kind as the head. Among deeds that differ only in impact, keeps the gravest. Riskiest first. */
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
 * Joins the acts of one call. The riskiest act names the call (the first one, if several are equally risky). The deeds of every act count,
 * as does everything that any act reaches, holds, removes or leaves behind. Laws: apart from the names, commutative, associative and
 * idempotent, and never milder than any of the acts.
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
