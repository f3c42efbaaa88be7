/** Which ways a change can move a score. */

export interface Direction {
  readonly rises: boolean
  readonly falls: boolean
}

export const still: Direction = { rises: false, falls: false }
export const either: Direction = { rises: true, falls: true }

export const moves = ({ falls, rises }: Direction): boolean => rises || falls

/** By two figures of which more is riskier. */
export const risingWith = (from: number, to: number): Direction => ({ rises: to > from, falls: to < from })

export const fallingWith = (from: number, to: number): Direction => risingWith(to, from)

export const together = (directions: ReadonlyArray<Direction>): Direction => ({
  rises: directions.some(({ rises }) => rises),
  falls: directions.some(({ falls }) => falls)
})
