/** Runs the benches named on the command line, or all: prints tables, writes results.json and results.html. */

import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { styleText } from "node:util"
import { assessQuestion } from "./assess.ts"
import { backtestQuestion } from "./backtest.ts"
import { gateQuestion } from "./gate.ts"
import { growthQuestion } from "./growth.ts"
import { loneQuestion } from "./lone.ts"
import { memoryQuestion } from "./memory.ts"
import { consoleQuestion } from "./console.ts"
import { monthsQuestion } from "./months.ts"
import { overloadQuestion } from "./overload.ts"
import type { Measured, Question, Results } from "./Question.ts"
import { readsQuestion } from "./reads.ts"
import { renderPage } from "./renderPage.ts"
import { replicasQuestion } from "./replicas.ts"
import { rulesQuestion } from "./rules.ts"
import { scoreQuestion } from "./score.ts"
import { startQuestion } from "./start.ts"
import { webhooksQuestion } from "./webhooks.ts"

const questions: ReadonlyArray<Question> = [
  startQuestion,
  scoreQuestion,
  rulesQuestion,
  backtestQuestion,
  assessQuestion,
  loneQuestion,
  gateQuestion,
  readsQuestion,
  growthQuestion,
  monthsQuestion,
  consoleQuestion,
  replicasQuestion,
  webhooksQuestion,
  overloadQuestion,
  memoryQuestion
]

const figure = (us: number): string => us.toFixed(us < 10 ? 2 : 1).padStart(11)
const subjectWidth = 34

const print = ({ asks, goals, notes, rows }: Measured): void => {
  console.log(`\n${styleText("bold", asks)}`)
  const rates = rows.some(({ perSecond }) => perSecond !== undefined)
  const head = ["median µs", "p99 µs", ...(rates ? ["a second"] : [])]
  console.log(styleText("dim", "".padEnd(subjectWidth) + head.map((name) => name.padStart(11)).join("")))
  for (const { medianUs, p99Us, perSecond, subject } of rows) {
    const rate = perSecond === undefined ? "" : Math.round(perSecond).toLocaleString("en-US").padStart(11)
    console.log(`${subject.padEnd(subjectWidth)}${figure(medianUs)}${figure(p99Us)}${rate}`)
  }
  for (const note of notes) console.log(styleText("dim", note))
  for (const { met, says } of goals) {
    console.log(met ? styleText("green", `✓ ${says}`) : styleText("red", `✗ ${says}`))
  }
}

const named = process.argv.slice(2)
const known = questions.map(({ name }) => name).join(", ")
if (named.some((name) => name === "--help" || name === "-h")) {
  console.log(`npm run bench            # all questions\nnpm run bench -- rules   # one of ${known}`)
  process.exit(0)
}
const unknown = named.filter((name) => !questions.some((question) => question.name === name))
if (unknown.length > 0) {
  console.error(`there is no bench named ${unknown.join(", ")}; there are ${known}`)
  process.exit(2)
}

const measured: Array<Measured> = []
for (const { answer, asks, name } of questions) {
  if (named.length > 0 && !named.includes(name)) continue
  console.error(styleText("dim", `measuring ${name} …`))
  const one = { name, asks, ...(await answer()) }
  print(one)
  measured.push(one)
}

const results: Results = {
  measuredAt: new Date().toISOString(),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`,
  questions: measured
}
writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 2)}\n`)
writeFileSync(join(import.meta.dirname, "results.html"), renderPage(results))
process.exitCode = measured.every(({ goals }) => goals.every(({ met }) => met)) ? 0 : 1
