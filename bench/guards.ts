/**
 * How do guards of coding agents judge the commands of each other's test suites? Not part of `npm run bench`:
 *
 *     npm run bench:guards -- SUITES 'NAME=COMMAND'… [--write]
 *
 * SUITES: a folder of NAME.ndjson, one `{"command": …, "expect": "harm" | "calm"}` on a line; without `expect`, the suite only counts
 * how many of its commands a guard stops. COMMAND: a guard as a host starts it, with the PreToolUse event of Claude Code on its
 * standard input. It stops a call by exit code 2, or by an answer that denies it or asks. This package's own guard is always among
 * them, as `hook install claude-code --local` leaves it. Prints a table; `--write` puts it into docs/guards.md.
 */

import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { isRecord } from "../src/json/json.ts"

const root = join(import.meta.dirname, "..")
const page = join(root, "docs/guards.md")
const own = `"${process.execPath}" "${join(root, "bin/action-risk-agent.js")}" hook run claude-code`
const atOnce = 2
const answerMsMax = 30_000
const blocks = 2

interface Suite {
  readonly name: string
  readonly cases: ReadonlyArray<{ readonly command: string; readonly expect: string | undefined }>
}

interface Guard {
  readonly name: string
  readonly command: string
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Only commands of a shell: the guards have that tool in common. */
const readSuite = (file: string): Suite => ({
  name: basename(file, ".ndjson"),
  cases: readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const one: unknown = JSON.parse(line)
      const command = isRecord(one) ? textOf(one["command"]) : undefined
      return isRecord(one) && command !== undefined ? [{ command, expect: textOf(one["expect"]) }] : []
    })
})

const stops = (answer: string): boolean => {
  if (!answer.trimStart().startsWith("{")) return false
  const given: unknown = JSON.parse(answer)
  const inner = isRecord(given) ? given["hookSpecificOutput"] : undefined
  const step = isRecord(inner) ? inner["permissionDecision"] : isRecord(given) ? given["decision"] : undefined
  return step === "deny" || step === "ask" || step === "block"
}

/** Whether a guard stops a command. Rejects where it fails or takes too long: a guard that does not answer has no figure. */
const asks = (guard: Guard, command: string, home: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(guard.command, {
      shell: true,
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home },
      timeout: answerMsMax
    })
    let [answer, problem] = ["", ""]
    child.stdout.on("data", (part) => (answer += part))
    child.stderr.on("data", (part) => (problem += part))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === blocks) resolve(true)
      else if (code === 0) resolve(stops(answer))
      else reject(new Error(`${guard.name} ended with ${code} on \`${command}\`: ${problem.trim()}`))
    })
    const event = { session_id: "s", cwd: home, hook_event_name: "PreToolUse", permission_mode: "default" }
    child.stdin.end(JSON.stringify({ ...event, tool_name: "Bash", tool_input: { command } }))
  })

const stoppedOf = async (
  guard: Guard,
  { cases, name }: Suite,
  home: string
): Promise<ReadonlyArray<boolean>> => {
  const stopped: Array<boolean> = []
  let next = 0
  const work = async () => {
    while (next < cases.length) {
      const at = next++
      stopped[at] = await asks(guard, cases[at]?.command ?? "", home)
      if (at % 20 === 0) process.stderr.write(`\r${guard.name}, ${name}: ${at} of ${cases.length}    `)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return stopped
}

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

/** `expect`: the kind of commands; undefined for commands without a judgement. */
const rowOf = (
  { cases, name }: Suite,
  expect: string | undefined,
  answers: ReadonlyArray<ReadonlyArray<boolean>>
): ReadonlyArray<string> | undefined => {
  const places = cases.flatMap((one, at) => (one.expect === expect ? [at] : []))
  if (places.length === 0) return undefined
  const counts = expect !== "harm"
  const kind =
    expect === "harm" ? "harm, let run" : expect === "calm" ? "calm, stopped" : "not judged, stopped"
  const figures = answers.map((stopped) =>
    share(places.filter((at) => stopped[at] === counts).length, places.length)
  )
  return [name, `${places.length} ${kind}`, ...figures]
}

const [folder, ...given] = process.argv.slice(2).filter((word) => word !== "--write")
if (folder === undefined || !existsSync(folder))
  throw new Error("usage: npm run bench:guards -- SUITES 'NAME=COMMAND'…")
const suites = readdirSync(folder)
  .filter((file) => file.endsWith(".ndjson"))
  .toSorted()
  .map((file) => readSuite(join(folder, file)))
  .filter(({ cases }) => cases.length > 0)
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
const guards: ReadonlyArray<Guard> = [
  { name: `action-risk ${version}`, command: own },
  ...given.map((word) => {
    const at = word.indexOf("=")
    return { name: word.slice(0, at), command: word.slice(at + 1) }
  })
]
const home = mkdtempSync(join(tmpdir(), "guards-"))
const rows: Array<ReadonlyArray<string>> = []
try {
  const install = spawn(`${own.replace("hook run", "hook install")} --local --environment development`, {
    shell: true,
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home }
  })
  await new Promise((resolve) => install.on("close", resolve))
  for (const suite of suites) {
    const answers: Array<ReadonlyArray<boolean>> = []
    for (const guard of guards) answers.push(await stoppedOf(guard, suite, home))
    for (const expect of ["harm", "calm", undefined]) {
      const row = rowOf(suite, expect, answers)
      if (row !== undefined) rows.push(row)
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.stderr.write("\n")
const lines = [["Suite", "Commands", ...guards.map(({ name }) => name)], guards.map(() => "---"), ...rows]
lines[1] = ["---", "---", ...guards.map(() => "---:")]
const table = lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("")
process.stdout.write(table)
if (process.argv.includes("--write")) {
  const text = readFileSync(page, "utf8")
  const place = /(?<=^<!-- the scoreboard -->\n+)(?:\|.*\n)*/m
  if (!place.test(text)) throw new Error("docs/guards.md has no place for the scoreboard")
  writeFileSync(page, text.replace(place, table))
}
