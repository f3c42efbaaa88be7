/** Where a class stands in the order of risk that decides between several verbs. */

import { type ActionClass, actionClasses } from "../../domain/ActionType.ts"

/** Smaller is riskier. */
export const classRank = (name: ActionClass): number => actionClasses.indexOf(name)

export const readRank = classRank("read")
export const unknownRank = classRank("unknown")

/** Follows every rank: no class at all. */
export const noRank: number = actionClasses.length

const raisable: ReadonlySet<number> = new Set([classRank("write"), classRank("configure")])

/** A verb whose object can make its class a riskier one: `create` alone writes, `create payment` transacts. */
export const isRaisable = (rank: number): boolean => raisable.has(rank)

/** Invariant: `rank` indexes `actionClasses`; every rank in use comes from `classRank`. */
export const classOf = (rank: number): ActionClass => actionClasses[rank] ?? "unknown"
