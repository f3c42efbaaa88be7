/** Changes that a superuser can make where assessments were erased, and the row that a verification must name for it. */

import fc from "fast-check"
import {
  bits,
  copied,
  entries,
  flip,
  row,
  sealBytes,
  sequences,
  type Tampering
} from "../support/tampering.ts"

/** Their places in the chain, the last one among them. */
export const erasedEntries = [4, 11, entries] as const

const erased = fc.constantFrom(...erasedEntries)
const living = sequences.filter((i) => !erasedEntries.some((one) => one === i))

/** Recorded as erased, with everything that can be copied from a real erasure. */
const recorded = (i: number, from: number): string =>
  `INSERT INTO erasures SELECT a.organization_id, a.assessment_id, a.created_at, a.rules_digest, a.policy_digest,
    e.erased_at, e.reason, e.public_key, e.signature
   FROM assessments a, erasures e WHERE a.${row(i)} AND e.${row(from)}`

const changes = [
  "created_at = created_at + interval '1 microsecond'",
  "erased_at = erased_at + interval '1 millisecond'",
  "reason = CASE reason WHEN 'request' THEN 'retention' ELSE 'request' END",
  "assessment_id = gen_random_uuid()",
  "organization_id = gen_random_uuid()"
]

export const tamperingsWithErased: fc.Arbitrary<Tampering> = fc.oneof(
  fc
    .tuple(fc.constantFrom("rules_digest", "policy_digest", "public_key", "signature"), erased, bits)
    .map(([column, i, bit]) => ({
      what: `a bit of the erasure's ${column} of entry ${i}`,
      statements: [`UPDATE erasures SET ${flip(column, bit)} WHERE ${row(i)}`],
      named: i
    })),
  fc.tuple(fc.constantFrom(...changes), erased).map(([change, i]) => ({
    what: `${change} of the erasure of entry ${i}`,
    statements: [`UPDATE erasures SET ${change} WHERE ${row(i)}`],
    named: i
  })),
  fc.tuple(fc.constantFrom(...sealBytes), erased, bits).map(([column, i, bit]) => ({
    what: `a bit of the seal's ${column} of erased entry ${i}`,
    statements: [`UPDATE seals SET ${flip(column, bit)} WHERE sequence = ${i}`],
    named: i
  })),
  erased.map((i) => ({
    what: `erasure of entry ${i} deleted`,
    statements: [`DELETE FROM erasures WHERE ${row(i)}`],
    named: i
  })),
  erased.map((i) => ({
    what: `seal of erased entry ${i} deleted`,
    statements: [`DELETE FROM seals WHERE sequence = ${i}`],
    named: i === entries ? ("unsealed" as const) : i
  })),
  fc.tuple(erased, living).map(([i, other]) => ({
    what: `assessment of entry ${other} put in for erased entry ${i}`,
    statements: [
      `${copied} WHERE ${row(other)}`,
      `UPDATE assessments SET ${row(i)} WHERE assessment_id = '00000000-0000-7000-8000-000000000001'`
    ],
    named: i
  })),
  fc.tuple(living, erased).map(([i, from]) => ({
    what: `entry ${i} deleted and put on record with the erasure of entry ${from}`,
    statements: [recorded(i, from), `DELETE FROM assessments WHERE ${row(i)}`],
    named: i
  })),
  fc.tuple(living, erased).map(([i, from]) => ({
    what: `entry ${i} put on record as erased, and left`,
    statements: [recorded(i, from)],
    named: i
  }))
)
