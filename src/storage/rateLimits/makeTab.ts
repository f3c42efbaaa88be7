/** Requests that are counted without waiting for the store: what is known of the window here, and what the store lacks. */

import { countedTogetherMax, rateSubjectsMax } from "../../Limits.ts"

export interface Owed {
  readonly subject: string
  readonly windowMs: number
  readonly requests: number
}

export const makeTab = () => {
  let window = 0
  /** By subject, what the store said last. */
  let told = new Map<string, number>()
  let owed = new Map<string, number>()

  const turnTo = (windowMs: number): void => {
    if (windowMs === window) return
    window = windowMs
    told = new Map()
    owed = new Map()
  }

  /** The count with this request, as far as it is known here. Beyond the bound it is not told to the store. */
  const add = (subject: string, windowMs: number): number => {
    turnTo(windowMs)
    const requests = (owed.get(subject) ?? 0) + 1
    if (requests > 1 || owed.size < countedTogetherMax) owed.set(subject, requests)
    return (told.get(subject) ?? 0) + requests
  }

  /** For the next statement. One that fails loses them: they are of requests that were refused. */
  const take = (): ReadonlyArray<Owed> => {
    if (owed.size === 0) return []
    const taken = [...owed].map(([subject, requests]) => ({ subject, windowMs: window, requests }))
    for (const { requests, subject } of taken) tell(subject, window, (told.get(subject) ?? 0) + requests)
    owed = new Map()
    return taken
  }

  const tell = (subject: string, windowMs: number, requests: number): void => {
    // A statement of the window before may answer only now: nobody is counted in that any more.
    if (windowMs < window) return
    turnTo(windowMs)
    if (told.has(subject) || told.size < rateSubjectsMax) told.set(subject, requests)
  }

  return { add, take, tell }
}
