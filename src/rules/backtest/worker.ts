/** The entry point of a worker thread of a backtest: opens the rulebooks, then answers each block with its tally. */

import { Result } from "effect"
import { answerQuestions } from "../../threads.ts"
import { type BacktestSides, openBacktestSides } from "./BacktestSides.ts"

// Invariant: the main thread has opened the same sides before, so that opening succeeds.
answerQuestions((sides: BacktestSides) => Result.getOrThrow(openBacktestSides(sides)).countBlock)
