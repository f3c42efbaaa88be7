/** A score of 0-100 as a bar of blocks. */

const cells = 20

/** Any score above 0 shows at least one block. */
export const bar = (score: number): string => {
  const filled = Math.ceil((score * cells) / 100)
  return "█".repeat(filled) + "░".repeat(cells - filled)
}
