/** The entry point of a backtest worker thread: opens the rulebooks, then answers each block with its tally. */

import { Result } from "effect"
import { answerQuestions } from "../../threads.ts"
import { type BacktestSides, openBacktestSides } from "./BacktestSides.ts"

// Invariant: the main thread has opened the same sides already, so opening succeeds.
answerQuestions((sides: BacktestSides) => Result.getOrThrow(openBacktestSides(sides)).countBlock)
