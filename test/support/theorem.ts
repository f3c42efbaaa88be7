/** Claims that must hold for every random case. */

import fc from "fast-check"
import { it } from "vitest"
import { propertyRuns, propertyTimeoutMs, seed } from "./runs.ts"

const options = { timeout: propertyTimeoutMs }

export const theorem = <A>(claim: string, cases: fc.Arbitrary<A>, holds: (one: A) => boolean): void =>
  it(claim, options, () => fc.assert(fc.property(cases, holds)))

/**
 * Several claims about the same thing, which costs more to make than to look at: all are tried on the same cases, and the
 * ones that fail are shrunk one by one. fast-check then prints the smallest counterexample and the seed.
 */
export const theorems = <A, B>(
  cases: fc.Arbitrary<A>,
  make: (one: A) => B,
  claims: Readonly<Record<string, (made: B, one: A) => boolean>>
): void => {
  const broken = new Set<string>()
  it(`${Object.keys(claims).length} claims are tried on ${propertyRuns} cases, seed ${seed}`, options, () => {
    fc.assert(
      fc.property(cases, (one) => {
        const made = make(one)
        for (const [claim, holds] of Object.entries(claims)) {
          if (!broken.has(claim) && !holds(made, one)) broken.add(claim)
        }
      })
    )
  })
  for (const [claim, holds] of Object.entries(claims)) {
    it(claim, options, () => {
      if (broken.has(claim)) fc.assert(fc.property(cases, (one) => holds(make(one), one)))
    })
  }
}
