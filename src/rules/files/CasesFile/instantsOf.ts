/** The instants, in milliseconds, that one entry of a history stands for. */

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const intervalMs = (interval: string): number =>
  Number(interval.slice(0, -1)) * (unitMs[interval.slice(-1)] ?? 0)

export interface Entry {
  readonly at: string
  readonly repeat?: { readonly times: number; readonly every: string }
}

export const instantsOf = ({ at, repeat }: Entry): ReadonlyArray<number> => {
  const { every, times } = repeat ?? { every: "1s", times: 1 }
  return Array.from({ length: times }, (_, i) => Date.parse(at) + i * intervalMs(every))
}
