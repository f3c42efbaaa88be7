/** Claims that must hold for every random case. */

import fc from "fast-check"
import { expect, it } from "vitest"
import { propertyRuns, seed, timeoutMs } from "./depth.ts"

const options = { timeout: timeoutMs(propertyRuns) }

/** Undefined if the claim holds, else the smallest counterexample from fast-check, with the seed. */
const refute = <A>(cases: fc.Arbitrary<A>, holds: (one: A) => boolean): string | undefined =>
  fc.defaultReportMessage(fc.check(fc.property(cases, holds), { numRuns: propertyRuns }))

export const theorem = <A>(claim: string, cases: fc.Arbitrary<A>, holds: (one: A) => boolean): void =>
  it(claim, options, () => {
    expect(refute(cases, holds)).toBeUndefined()
  })

/**
 * Several claims about the same thing, which is more expensive to create than to check: all are tried on the same cases, and the
 * ones that fail are tried again one by one, so that each shows its own smallest counterexample.
 */
export const theorems = <A, B>(
  cases: fc.Arbitrary<A>,
  make: (one: A) => B,
  claims: Readonly<Record<string, (made: B, one: A) => boolean>>
): void => {
  const broken = new Set<string>()
  it(`${Object.keys(claims).length} claims are tried on ${propertyRuns} cases, seed ${seed}`, options, () => {
    const tried = refute(cases, (one) => {
      const made = make(one)
      for (const [claim, holds] of Object.entries(claims)) {
        if (!broken.has(claim) && !holds(made, one)) broken.add(claim)
      }
      return true
    })
    expect(tried).toBeUndefined()
  })
  for (const [claim, holds] of Object.entries(claims)) {
    it(claim, options, () => {
      expect(broken.has(claim) ? refute(cases, (one) => holds(make(one), one)) : undefined).toBeUndefined()
    })
  }
}
