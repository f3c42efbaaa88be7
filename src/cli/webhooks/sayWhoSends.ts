/** What every command that queues a delivery says: it sends nothing itself. */

import { Console } from "effect"

export const sayWhoSends = Console.error(
  "a serving process sends it within a second; where none runs, it waits until one does"
)
