/** A file is called what the thing in it is called, so that a reviewer finds either by the other. */

import type { Problem } from "../Problem.ts"

export const checkName = (field: string, stated: string, expected: string): ReadonlyArray<Problem> =>
  stated === expected
    ? []
    : [{ path: [field], message: `\`${stated}\` stands in a file named \`${expected}\`` }]

/** `bulk-export` raises `BULK_EXPORT`. */
export const eventTypeOf = (slug: string): string => slug.toUpperCase().replaceAll("-", "_")

export const checkEventType = (stated: string, expected: string, rule: number): ReadonlyArray<Problem> =>
  stated === expected
    ? []
    : [{ path: ["rules", rule, "event", "type"], message: `expected \`${expected}\`, not \`${stated}\`` }]
