/** The reading covers the programs that a real shell starts: a line is asked about if it starts a command that would be asked about. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deep, seed, timeoutMs } from "../support/depth.ts"
import { levels } from "../../src/domain/Opinion.ts"
import { levelOfCommand as levelOf } from "../support/commandLevels.ts"
import { quoted } from "../support/routes.ts"
import { programs, shellLine } from "./shellLines.ts"
import { hasRooms, runLines } from "./shellRoom.ts"

const plain = (words: ReadonlyArray<string>): string =>
  words.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : quoted(word))).join(" ")

const runs = deep ? 20_000 : 300

describe.skipIf(!hasRooms)(`a line of a real shell${hasRooms ? "" : " (needs namespaces for users)"}`, () => {
  it(
    "is asked about if a command that it starts is",
    () => {
      const lines = [...new Set(fc.sample(shellLine, { numRuns: runs, seed }))]
      const started = runLines(lines, programs)
      const milder = lines.flatMap((line, i) => {
        const own = levelOf(line)
        const graver = (started[i] ?? []).map(plain).find((command) => levelOf(command) > own)
        return graver === undefined ? [] : [{ own, graver, line }]
      })
      // Most lines must start what they hide, or the test would prove nothing.
      expect(started.filter(({ length }) => length > 0).length).toBeGreaterThan(lines.length * 0.7)
      expect(milder.filter(({ own }) => own <= levels.indexOf("low"))).toEqual([])
      // A program whose name only exists at run time is asked about, at the level of the unknown.
      expect(milder.slice(Math.floor(lines.length / 100))).toEqual([])
    },
    timeoutMs(runs)
  )
})
