/** The cases beside a rule file, counted by what they expect. */

import type { CaseFile } from "../cases/Case.ts"

export interface CasesSummary {
  readonly file: string
  readonly total: number
  /** How many expect each outcome, in the order of the file. */
  readonly expecting: Readonly<Record<string, number>>
}

const expectationOf = (one: CaseFile["cases"][number]): string => ("expect" in one ? one.expect : one.kind)

/** Null where there are none. */
export const casesSummary = (suite: ReadonlyArray<CaseFile>, code: string): CasesSummary | null => {
  const own = suite.find(({ of }) => of === code)
  if (own === undefined) return null
  const expecting: Record<string, number> = {}
  for (const one of own.cases) {
    const expected = expectationOf(one)
    expecting[expected] = (expecting[expected] ?? 0) + 1
  }
  return { file: own.file, total: own.cases.length, expecting }
}
