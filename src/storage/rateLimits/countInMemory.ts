/** Counts requests of one window in this process, in bounded memory. */

import { rateSharedCounters, rateSubjectsMax } from "../../Limits.ts"
import type { CountHere } from "./Count.ts"

/** FNV-1a, 32 bits: which shared counter a subject falls on. */
const hash = (text: string): number => {
  let value = 0x81_1c_9d_c5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01_00_01_93)
  return value >>> 0
}

/**
 * Subjects beyond `subjectsMax` share counters: a shared count is never below a subject's own, so a flood of
 * addresses can cost a newcomer requests and never gives anyone more than the limit.
 */
export const countInMemory = (subjectsMax = rateSubjectsMax): CountHere => {
  let window = 0
  let exact = new Map<string, number>()
  let shared = new Uint32Array(0)

  const countShared = (subject: string): number => {
    if (shared.length === 0) shared = new Uint32Array(rateSharedCounters)
    const at = hash(subject) % rateSharedCounters
    const counted = (shared[at] ?? 0) + 1
    shared[at] = counted
    return counted
  }

  return (subject, windowMs) => {
    if (windowMs !== window) {
      window = windowMs
      exact = new Map()
      shared = new Uint32Array(0)
    }
    const before = exact.get(subject)
    if (before === undefined && exact.size >= subjectsMax) return countShared(subject)
    const counted = (before ?? 0) + 1
    exact.set(subject, counted)
    return counted
  }
}
