/** The assessments that were acknowledged, kept in the same database as the rows that they are compared with. */

import type { OwnDatabase } from "../stored/database.ts"

export interface Acknowledgements {
  readonly keep: (assessmentIds: ReadonlyArray<string>) => Promise<void>
  readonly count: () => number
  /** Acknowledged, and not in the chain of evidence; an erased one keeps its entry there. */
  readonly lost: () => Promise<number>
}

export const acknowledgements = async ({ owner }: OwnDatabase): Promise<Acknowledgements> => {
  await owner.query("CREATE UNLOGGED TABLE public.soak_acknowledged (assessment_id uuid)")
  let count = 0
  return {
    keep: async (assessmentIds) => {
      count += assessmentIds.length
      await owner.query("INSERT INTO public.soak_acknowledged SELECT unnest($1::uuid[])", [assessmentIds])
    },
    count: () => count,
    lost: async () => {
      const { rows } = await owner.query<{ lost: number }>(`
        SELECT count(*)::int AS lost FROM public.soak_acknowledged
        WHERE NOT EXISTS (SELECT FROM test.seals WHERE seals.assessment_id = soak_acknowledged.assessment_id)
      `)
      return rows[0]?.lost ?? 0
    }
  }
}
