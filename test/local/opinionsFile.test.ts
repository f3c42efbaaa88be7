/** The file of opinions: concurrent writers, and what happens when the file is full. */

import { execFileSync, spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { opinionsLockMs } from "../../src/limits.ts"
import { keepLine, olderOpinions } from "../../src/local/opinionsFile.ts"
import { runProgram } from "../support/runProgram.ts"

const root = mkdtempSync(join(tmpdir(), "action-risk-opinions-"))
afterAll(() => rmSync(root, { recursive: true }))

const module = join(import.meta.dirname, "../../src/local/opinionsFile.ts")

let file = ""
let folders = 0
beforeEach(() => {
  file = join(root, String(++folders), "state", "opinions.ndjson")
})

const linesOf = (path: string): ReadonlyArray<string> =>
  existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe("the file of opinions", () => {
  it("is readable only by its owner, and so is its folder", () => {
    keepLine(file, "{}")
    expect([modeOf(file), modeOf(join(file, "..")), readFileSync(file, "utf8")]).toEqual([
      0o600,
      0o700,
      "{}\n"
    ])
  })

  it("starts again when it is full, and one older file is kept", () => {
    for (const line of ["a", "b", "c", "d", "e"]) keepLine(file, line.repeat(9), 20)
    expect([linesOf(olderOpinions(file)), linesOf(file)]).toEqual([
      ["c".repeat(9), "d".repeat(9)],
      ["e".repeat(9)]
    ])
    expect(readdirSync(join(file, ".."))).toEqual(["opinions.1.ndjson", "opinions.ndjson"])
  })

  it("loses and mixes no line of processes that write at once, also while it starts again", async () => {
    const [processes, each, length] = [6, 150, 900]
    // Full once, somewhere in the middle.
    const bytesMax = (processes * each * length * 2) / 3
    const program = `import(process.argv[1]).then(({ keepLine }) => {
      for (let at = 0; at < ${each}; at++) {
        const line = process.argv[3] + " " + at + " "
        keepLine(process.argv[2], line.padEnd(${length}, process.argv[3]), ${bytesMax})
      }
    })`
    const ended = await Promise.all(
      Array.from({ length: processes }, (_, one) =>
        runProgram(process.execPath, ["-e", program, module, file, "abcdef".charAt(one)])
      )
    )
    expect(ended).toEqual(ended.map(() => ({ code: 0, stdout: "", stderr: "" })))
    const [older, newer] = [linesOf(olderOpinions(file)), linesOf(file)]
    expect([older.length > 0, newer.length > 0]).toEqual([true, true])
    const lines = [...older, ...newer]
    const whole = lines.filter((line) => line.length === length && /^([a-f]) \d+ \1*$/.test(line))
    expect([lines.length, whole.length, new Set(lines).size]).toEqual(Array(3).fill(processes * each))
  })

  it("keeps growing while another process starts it again, and starts again if that process was killed", () => {
    keepLine(file, "first", 5)
    const lock = `${file}.lock`
    writeFileSync(lock, "")
    keepLine(file, "second", 5)
    expect(linesOf(file)).toEqual(["first", "second"])
    const longAgo = (Date.now() - opinionsLockMs) / 1_000 - 1
    utimesSync(lock, longAgo, longAgo)
    for (const line of ["third", "fourth"]) keepLine(file, line, 5)
    expect([linesOf(file), existsSync(lock)]).toEqual([["fourth"], false])
  })

  it("does not wait where it is a pipe without a reader", () => {
    mkdirSync(join(file, ".."), { recursive: true })
    execFileSync("mkfifo", [file])
    const program = 'import(process.argv[1]).then(({ keepLine }) => keepLine(process.argv[2], "{}"))'
    // A separate process, because one that waits for a reader cannot be stopped.
    const { error, stderr } = spawnSync(process.execPath, ["-e", program, module, file], {
      encoding: "utf8",
      timeout: 20_000
    })
    expect([error, stderr]).toEqual([undefined, expect.stringContaining("ENXIO")])
  })

  it("stores nothing if it is a folder, or below a file", () => {
    mkdirSync(file, { recursive: true })
    expect(() => keepLine(file, "{}")).toThrow("EISDIR")
    expect(() => keepLine(join(root, "x", "opinions.ndjson"), "{}")).not.toThrow()
    expect(() => keepLine(join(root, "x", "opinions.ndjson", "opinions.ndjson"), "{}")).toThrow("EEXIST")
  })
})
