/** Compares the answers that clients got with what is stored. Distinguishes answers, refusals, and results that no client can know. */

/** One request of a client. `call` is in its body and in no other's, except for repeats under one key. */
export interface Told {
  readonly call: string
  readonly outcome: "ok" | "refused" | "unknown"
  /** The answer, where it was ok. */
  readonly body: string
}

/** One stored assessment. */
export interface Kept {
  readonly call: string
  readonly assessmentId: string
  readonly response: string
}

const grouped = <A>(of: ReadonlyArray<A>, key: (one: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of of) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}

/** Empty if every answer matches what is stored. */
export const contradictions = (
  told: ReadonlyArray<Told>,
  kept: ReadonlyArray<Kept>
): ReadonlyArray<string> => {
  const keptOf = grouped(kept, ({ call }) => call)
  const wrong: Array<string> = []
  for (const [call, answers] of grouped(told, ({ call }) => call)) {
    const stored = keptOf.get(call) ?? []
    const bodies = new Set(answers.flatMap(({ body, outcome }) => (outcome === "ok" ? [body] : [])))
    if (bodies.size > 1) wrong.push(`${call} was answered in ${bodies.size} ways`)
    if (stored.length > 1) wrong.push(`${call} is stored ${stored.length} times`)
    for (const body of bodies) {
      if (stored[0]?.response !== body) wrong.push(`${call} was answered, and is not stored as answered`)
    }
    if (stored.length > 0 && answers.every(({ outcome }) => outcome === "refused")) {
      wrong.push(`${call} was refused, and is stored`)
    }
  }
  const asked = new Set(told.map(({ call }) => call))
  for (const { call } of kept) if (!asked.has(call)) wrong.push(`${call} is stored, and nobody asked`)
  return wrong
}
