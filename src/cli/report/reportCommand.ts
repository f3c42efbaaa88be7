/** What `rules report` and `policies report` do: answer everything, write it down, say the answers. */

import { Console, Effect, Option, Stream } from "effect"
import { CliError } from "effect/cli"
import { type Answer, answersOf } from "../render/report/answers.ts"
import { reportMarkdown } from "../render/report/markdown/reportMarkdown.ts"
import { renderAnswers } from "../render/report/terminal.ts"
import { terminal } from "../render/Sheet.ts"
import type { reportShape } from "../shapes/report.ts"
import { writeWhole } from "../writeWhole.ts"
import { wrongUsage } from "../wrongUsage.ts"
import { assemble } from "./assemble.ts"
import type { ReportOptions } from "./reportFlags.ts"
import type { Subject } from "./Subject.ts"

export const reportCommand = Effect.fnUntraced(function* (subject: Subject, options: ReportOptions) {
  const out = Option.getOrElse(options.out, () => (options.format === "html" ? "report.html" : null))
  if (options.json && out === null) return yield* wrongUsage(subject.command, needsOut)
  const report = yield* assemble(subject, options)
  const text = options.format === "html" ? yield* page(report) : reportMarkdown(report)
  yield* writeWhole(out, Stream.succeed(Buffer.from(text)))
  if (out === null) return
  const answers = answersOf(report)
  const told: typeof reportShape.Encoded = {
    ok: answers.every(({ state }) => state !== "bad"),
    from: report.from.label,
    to: report.to.label,
    answers: answers.map(answerJson),
    out
  }
  yield* Console.log(options.json ? JSON.stringify(told, null, 2) : renderAnswers(terminal(), report, out))
})

/** The charts are loaded where a page is drawn, and nowhere else: they are most of what starting would cost. */
const page = (report: Parameters<typeof reportMarkdown>[0]) =>
  Effect.map(
    Effect.promise(() => import("../render/report/page.ts")),
    ({ reportPage }) => reportPage(report)
  )

const answerJson = ({ question, section, state, statement }: Answer) => ({
  section,
  question,
  state,
  statement
})

const needsOut = new CliError.InvalidValue({
  option: "json",
  value: "true",
  expected: "used together with --out, because the Markdown itself goes to standard output",
  kind: "flag"
})
