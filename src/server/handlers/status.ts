/** The public status, 200 whatever the health. */

import { Effect } from "effect"
import { json } from "../Answer.ts"
import { StatusBoard } from "../StatusBoard.ts"

export const statusHandlers = Effect.gen(function* () {
  const board = yield* StatusBoard
  return { getStatus: () => Effect.sync(() => json(board.read())) }
})
