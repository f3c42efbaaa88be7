/** The answers that an earlier commit gives to the calls of today, by its own code and its own rules. */

import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import type { Answer } from "./answers.ts"
import type { Call } from "./calls.ts"

const git = (...words: ReadonlyArray<string>): string =>
  execFileSync("git", words, { cwd: packageRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()

/** The commit that last changed a file. */
export const lastChangeOf = (file: string): string => git("log", "-1", "--format=%H", "--", file)

function* linesOf(calls: ReadonlyArray<Call>): Generator<string> {
  for (const call of calls) yield `${JSON.stringify(call)}\n`
}

/** Runs `use` in a checkout of a commit that has the packages of this one. */
const inCheckoutOf = async <A>(commit: string, use: (folder: string) => Promise<A>): Promise<A> => {
  const parent = mkdtempSync(join(tmpdir(), "photograph-"))
  const folder = join(parent, "checkout")
  git("worktree", "add", "--detach", folder, commit)
  try {
    symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"))
    return await use(folder)
  } finally {
    git("worktree", "remove", "--force", folder)
    rmSync(parent, { recursive: true })
  }
}

/** Calls `each` with every call and its earlier answer, in the order of the calls. */
export const forEachEarlierAnswer = (
  commit: string,
  calls: ReadonlyArray<Call>,
  each: (index: number, answer: Answer) => void
): Promise<void> =>
  inCheckoutOf(commit, async (folder) => {
    const child = spawn(process.execPath, ["test/photograph/answerLines.ts"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"]
    })
    const exit = once(child, "exit")
    const asked = pipeline(Readable.from(linesOf(calls)), child.stdin)
    let answered = 0
    for await (const line of createInterface({ input: child.stdout })) {
      each(answered, JSON.parse(line) as Answer)
      answered += 1
    }
    await asked
    const [code] = await exit
    if (code !== 0 || answered !== calls.length)
      throw new Error(`commit ${commit} answered ${answered} of ${calls.length} calls and ended with ${code}`)
  })
