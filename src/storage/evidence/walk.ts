/** A walk along a chain, entry after entry, until the first one that is broken. */

import type { Mode } from "../../domain/Mode.ts"
import { genesis, hex } from "./chain.ts"
import { sameBytes } from "./Link.ts"

/** Where a chain stands. */
export interface Head {
  /** From 1; 0 of a chain without entries. */
  readonly sequence: number
  readonly entryDigest: Uint8Array
}

export interface Place extends Head {
  readonly assessmentId: string | null
  readonly previousDigest: Uint8Array
  /** Of the file that the entry was read from, from 1; null of one out of the database. */
  readonly line: number | null
  /** What is wrong with the row by itself. */
  readonly problem: string | null
}

/** The first broken row. */
export interface Break {
  readonly sequence: number | null
  readonly assessmentId: string | null
  readonly line: number | null
  /** Completes a sentence about the row. */
  readonly problem: string
}

/** What a signed checkpoint says that the chain was at its time. */
export interface Milestone {
  readonly organizationId: string
  readonly mode: Mode
  readonly sequence: number
  /** Hexadecimal digits. */
  readonly entryDigest: string
  /** ISO 8601. */
  readonly at: string
}

export interface Walk {
  /** Gives the first break that is certain by now. */
  readonly add: (place: Place) => Break | null
  /** After the last entry. */
  readonly end: () => Break | null
  readonly head: () => Head
}

/**
 * Entries may come out of order by at most `strayMax` of them, as they do where rows are ordered by their time: sealing
 * follows the order in which they were committed. So memory is bounded, and a gap is known to be one.
 */
export const walkChain = (strayMax: number, milestone: Milestone | null): Walk => {
  let head: Head = { sequence: 0, entryDigest: genesis }
  const early = new Map<number, Place>()

  const missing = (problem = "it is missing"): Break => ({
    sequence: head.sequence + 1,
    assessmentId: null,
    line: null,
    problem
  })

  const follow = (place: Place): Break | null => {
    const { assessmentId, entryDigest, line, sequence } = place
    const broken = (problem: string): Break => ({ sequence, assessmentId, line, problem })
    if (place.problem !== null) return broken(place.problem)
    if (!sameBytes(place.previousDigest, head.entryDigest))
      return broken("it does not follow the entry before it: that one was replaced, or this one moved")
    if (milestone?.sequence === sequence && milestone.entryDigest !== hex(entryDigest))
      return broken(
        `it is not the entry that the checkpoint of ${milestone.at} has signed: the chain was rewritten`
      )
    head = { sequence, entryDigest }
    return null
  }

  const add = (place: Place): Break | null => {
    const { assessmentId, line, sequence } = place
    const other = early.get(sequence)
    // Of two with one number it is the one that is wrong by itself.
    if (other !== undefined && other.problem !== null) return follow(other)
    if (sequence <= head.sequence || other !== undefined)
      return { sequence, assessmentId, line, problem: "its sequence number is taken by another entry" }
    early.set(sequence, place)
    for (;;) {
      const next = early.get(head.sequence + 1)
      if (next === undefined) return early.size > strayMax ? missing() : null
      early.delete(next.sequence)
      const broken = follow(next)
      if (broken !== null) return broken
    }
  }

  const end = (): Break | null => {
    if (early.size > 0) return missing()
    if (milestone === null || milestone.sequence <= head.sequence) return null
    const { at, sequence } = milestone
    return missing(
      `it is missing: the checkpoint of ${at} has signed ${sequence} entries, so the end was cut off`
    )
  }

  return { add, end, head: () => head }
}
