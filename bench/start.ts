/**
 * How long do the commands take that people wait for?
 *
 * Method: whole processes, started one after the other, each command `runs` times in turn after one run that is not counted; from the
 * start to the end of the process, for `serve` to its ready line, on a database that is there already. The run that is not counted
 * compiles the rules, so what is measured is a start at which no rule changed. The goals hold on two idle cores.
 */

import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { listReleases } from "../src/rules/release/loadRelease.ts"
import type { Answer, Question, Row } from "./Question.ts"

const root = join(import.meta.dirname, "..")
const program = join(root, "bin/action-risk.js")
const runs = 7
const secondMs = 1_000
const usInMs = 1_000

interface Start {
  readonly subject: string
  readonly args: ReadonlyArray<string>
  readonly goalMs?: number
  /** Ends the measurement and the process; without it the process ends by itself. */
  readonly ready?: string
}

const newestRelease = listReleases(root).at(-1) ?? "draft"

const starts: ReadonlyArray<Start> = [
  { subject: "node, doing nothing", args: ["-e", ""] },
  { subject: "--version", args: [program, "--version"], goalMs: 150 },
  {
    subject: "assess",
    args: [program, "assess", join(root, "examples/requests/stripe-payout.json")],
    goalMs: 250
  },
  { subject: "rules check", args: [program, "rules", "check"], goalMs: 1_000 },
  { subject: "rules list", args: [program, "rules", "list"], goalMs: 1_500 },
  { subject: "rules show", args: [program, "rules", "show", "IRREVERSIBLE_ACTION"], goalMs: 1_500 },
  {
    subject: "rules explain",
    args: [program, "rules", "explain", join(root, "examples/requests/stripe-payout.json")],
    goalMs: 1_500
  },
  { subject: "rules diff", args: [program, "rules", "diff", newestRelease, "draft"], goalMs: 1_500 },
  { subject: "serve, to its ready line", args: [program, "serve"], goalMs: 800, ready: "listening on" }
]

const timeStart = ({ args, ready, subject }: Start, dataDirectory: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAtMs = performance.now()
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env["PATH"], DATA_DIR: dataDirectory, PORT: "0", LOG_LEVEL: "warn" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let readyMs: number | undefined
    let seen = ""
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString()
      if (ready === undefined || readyMs !== undefined || !seen.includes(ready)) return
      readyMs = performance.now() - startedAtMs
      child.kill("SIGTERM")
    })
    child.once("close", (code) => {
      const tookMs = ready === undefined ? performance.now() - startedAtMs : readyMs
      if (code === 0 && tookMs !== undefined) resolve(tookMs)
      else reject(new Error(`${subject} ended with ${code}: ${seen}`))
    })
  })

const sorted = (figures: ReadonlyArray<number>): ReadonlyArray<number> => figures.toSorted((a, b) => a - b)

const measureStarts = async (dataDirectory: string): Promise<Answer> => {
  const tookMs = new Map<Start, Array<number>>(starts.map((start) => [start, []]))
  for (let run = 0; run <= runs; run++) {
    for (const start of starts) {
      const ms = await timeStart(start, dataDirectory)
      if (run > 0) tookMs.get(start)?.push(ms)
    }
  }
  const medianMs = (start: Start): number => sorted(tookMs.get(start) ?? [])[runs >> 1] ?? Number.NaN
  const rows = starts.map((start): Row => {
    const slowest = sorted(tookMs.get(start) ?? []).at(-1) ?? Number.NaN
    return { subject: start.subject, medianUs: medianMs(start) * usInMs, p99Us: slowest * usInMs }
  })
  const goals = starts.flatMap((start) =>
    start.goalMs === undefined
      ? []
      : [
          {
            says: `${start.subject}: ${(medianMs(start) / secondMs).toFixed(2)} s, ≤ ${start.goalMs / secondMs} s`,
            met: medianMs(start) <= start.goalMs
          }
        ]
  )
  return { rows, notes: [`the median and the slowest of ${runs} starts of each`], goals }
}

export const startQuestion: Question = {
  name: "start",
  asks: "Time to start",
  answer: async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "action-risk-start-"))
    try {
      return await measureStarts(dataDirectory)
    } finally {
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
