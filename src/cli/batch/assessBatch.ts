/** `action-risk assess --batch`: scores the requests in an NDJSON file; each line gets one line, in order. */

import { Effect, Stream } from "effect"
import { availableParallelism } from "node:os"
import { batchBlocksAhead, batchBlocksAlone, batchThreadsMax } from "../../limits.ts"
import { reasonOf } from "../../rules/Finding.ts"
import { makeThreads } from "../../threads.ts"
import { refuse } from "../commandFailures.ts"
import { type InputLine, inputLines, type InputLines, withInput, writeWhole } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import { counted, figure } from "../texts.ts"
import { type AnsweredLines, answerLines } from "./answerLines.ts"
import type { BatchSettings } from "./batchWorker.ts"

/** Added to the error for a line that is not JSON, because people paste bare tool names. */
const lineShape = `; a line is a request such as {"action_type": "list_issues", "environment": "production"}`

/** Copies the lines, because sending a part of a block to a thread would send the whole block. */
const copied = ({ lines }: InputLines): ReadonlyArray<InputLine> =>
  lines.map(({ bytes, number }) => ({ number, bytes: new Uint8Array(bytes) }))

/** Answers blocks of lines: the first ones here and later ones in threads, because a thread needs seconds to open its rules and warm up. */
const startAnswering = (settings: BatchSettings, threads: number) => {
  let blocks = 0
  const { ask, stop } = makeThreads<ReadonlyArray<InputLine>, AnsweredLines>({
    module: import.meta,
    entry: "batchWorker",
    count: threads,
    settings
  })
  return {
    answer: (read: InputLines) => {
      if (threads < 2 || blocks++ < batchBlocksAlone) return answerLines(read.lines, settings.offline)
      return Effect.tryPromise({
        try: () => ask(copied(read)),
        catch: (cause) => refuse(`a worker thread failed: ${reasonOf(cause)}`)
      })
    },
    stop: Effect.promise(stop)
  }
}

/** Answers every line of the input, and fails at the end if any of them was refused. */
export const assessBatch = Effect.fnUntraced(function* (
  file: string,
  settings: BatchSettings,
  threads = Math.min(availableParallelism(), batchThreadsMax)
) {
  let [lines, refused] = [0, 0]
  let firstRefused: AnsweredLines["firstRefused"]
  const count = (answered: AnsweredLines) => {
    lines += answered.lines
    refused += answered.refused
    firstRefused ??= answered.firstRefused
  }
  const answers = (bytes: AsyncIterable<Uint8Array>, answering: ReturnType<typeof startAnswering>) =>
    Stream.fromAsyncIterable(inputLines(bytes), (cause) => cause).pipe(
      Stream.orDie,
      // Keeps the order of the input, whichever thread finishes first.
      Stream.mapEffect(
        (read) => Effect.map(answering.answer(read), (answered) => ({ answered, readBytes: read.readBytes })),
        { concurrency: threads * batchBlocksAhead }
      )
    )
  yield* withProgress({ title: "assess", unit: "requests" }, (progress) =>
    withInput(file, ({ bytes, totalBytes }) =>
      Effect.acquireUseRelease(
        Effect.sync(() => startAnswering(settings, threads)),
        (answering) =>
          writeWhole(
            null,
            Stream.map(answers(bytes, answering), ({ answered, readBytes }) => {
              count(answered)
              // On a terminal, a bar between the lines would make both unreadable.
              if (!process.stdout.isTTY)
                progress.at(lines, totalBytes === null ? null : readBytes / totalBytes)
              return answered.bytes
            })
          ),
        ({ stop }) => stop
      )
    )
  )
  if (firstRefused === undefined) return
  const hint = firstRefused.code === "MalformedJson" ? lineShape : ""
  return yield* refuse(
    `${figure(refused)} of ${counted(lines, "line")} ${refused === 1 ? "was" : "were"} refused, first line ${figure(firstRefused.line)}: see \`error\` in the answers${hint}`
  )
})
