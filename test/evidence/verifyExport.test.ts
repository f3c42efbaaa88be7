import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import fc from "fast-check"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { exportChain } from "../../src/evidence/exportEvidence.ts"
import { verifyExport } from "../../src/evidence/verifyExport.ts"
import { AssessmentRecords } from "../../src/storage/assessments/AssessmentRecords.ts"
import { caller } from "../support/assessCall.ts"
import { scaled, seed } from "../support/depth.ts"
import { eraser, evidenceKey, sealAsOlder } from "../support/eraser.ts"
import { standAlone } from "../support/standAlone.ts"
import { assess, useCase } from "../support/useCase.ts"

const entries = 12
/** Lines of erased assessments, from 1. */
const erasedLines = [3, 8, 9]
const runs = scaled(200, 20_000)
/** Each is a process. */
const strangers = scaled(6, 200)

interface Edit {
  readonly what: string
  readonly lines: ReadonlyArray<Buffer>
  /** The line that must be named, or whose former entry must be. */
  readonly named: number
}

const lineNumbers = fc.integer({ min: 1, max: entries })

const without = <A>(all: ReadonlyArray<A>, number: number): ReadonlyArray<A> =>
  all.filter((_, i) => i !== number - 1)

/** Changes one byte of a line, but not in `sealed_at`, which no digest covers. */
const editOfByte = (lines: ReadonlyArray<Buffer>) =>
  fc.tuple(lineNumbers, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([number, place, by]): Edit => {
    const line = Buffer.from(lines[number - 1] ?? [])
    const sealedAt = line.indexOf('"sealed_at":"')
    const told = sealedAt + '"sealed_at":"'.length
    const at = place % line.length
    const spared = sealedAt !== -1 && at >= told && at < told + 24 ? 0 : at
    const value = (line[spared] ?? 0) ^ by
    line[spared] = value === 0x0a ? 0x20 : value
    return { what: `byte ${spared} of line ${number}`, lines: lines.with(number - 1, line), named: number }
  })

const editOfLines = (lines: ReadonlyArray<Buffer>) =>
  fc
    .tuple(lineNumbers, lineNumbers, fc.constantFrom("delete", "double", "graft"))
    .map(([number, other, how]): Edit => {
      const [one = Buffer.of(), two = Buffer.of()] = [lines[number - 1], lines[other - 1]]
      if (how === "delete" && number < entries)
        return { what: `line ${number} deleted`, lines: without(lines, number), named: number }
      if (how === "graft" && number !== other) {
        const isErased = erasedLines.includes(number) || erasedLines.includes(other)
        const member = isErased ? ',"evidence":' : ',"input":'
        const [from, to] = [one, two].map((line) => line.indexOf(member))
        const grafted = Buffer.concat([two.subarray(0, to), one.subarray(from)])
        return {
          what: `answer of ${other} in line ${number}`,
          lines: lines.with(number - 1, grafted),
          named: number
        }
      }
      return { what: `line ${number} twice`, lines: lines.toSpliced(number, 0, one), named: number + 1 }
    })

async function* chunksOf(lines: ReadonlyArray<Buffer>) {
  for (const line of lines) yield Buffer.concat([line, Buffer.from("\n")])
}

const verify = (lines: ReadonlyArray<Buffer>) =>
  Effect.promise(() => verifyExport(chunksOf(lines), null, [evidenceKey.publicKey], () => {}))

const exportedChain = Effect.gen(function* () {
  const owner = caller()
  for (let n = 0; n < entries; n++)
    yield* assess({
      caller: owner,
      // Caller keys with the same names as keys of an export.
      action: { entitiesAffected: n, context: { evidence: { input_digest: "x" }, input: {}, 'a"\\': "}]" } }
    })
  yield* sealAsOlder
  const whole = { since: null, until: null }
  const ids = (yield* Stream.runCollect(exportChain(owner, whole))).map(
    ({ line }) => JSON.parse(Buffer.from(line).toString()).assessment_id
  )
  const { erase } = yield* Eraser
  yield* erase(
    owner,
    erasedLines.map((line) => ids[line - 1]),
    "retention"
  )
  const chain = yield* Stream.runCollect(exportChain(owner, whole))
  expect(chain.flatMap(({ erased }, i) => (erased ? [i + 1] : []))).toEqual(erasedLines)
  return chain.map(({ line }) => Buffer.from(line))
})

layer(Layer.mergeAll(AssessmentRecords.layer, eraser).pipe(Layer.provideMerge(useCase())))(
  "a verification of an export",
  (it) => {
    it.effect("finds no break in an intact export, even if lines come before their place in the chain", () =>
      Effect.gen(function* () {
        const lines = yield* exportedChain
        for (const order of [lines, lines.toReversed(), lines.toSorted()])
          expect(yield* verify(order)).toMatchObject({
            sealed: entries,
            erased: erasedLines.length,
            waiting: 0,
            broken: null
          })
      })
    )

    it.effect(
      `names the row of each edit, as an independent verifier does: ${runs} edits, seed ${seed}`,
      () =>
        Effect.gen(function* () {
          const lines = yield* exportedChain
          const folder = mkdtempSync(join(tmpdir(), "action-risk-export-"))
          const [file, key] = [join(folder, "export.ndjson"), join(folder, "evidence.pem")]
          writeFileSync(key, evidenceKey.publicKey.export({ format: "pem", type: "spki" }))
          writeFileSync(file, `${lines.join("\n")}\n`)
          const whole = standAlone(file, "--public-key", key)
          expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining("3 of them are of erased") })
          const missed: Array<object> = []
          const [first = 0] = erasedLines
          for (const [from, to] of [
            [":", ": "],
            ['"reason":', '"reason":"request","reason":'],
            ['"}', '","more":1}'],
            ['="', '=="']
          ] as const) {
            const spelled = Buffer.from(String(lines[first - 1]).replace(from, to))
            const edited = lines.with(first - 1, spelled)
            expect((yield* verify(edited)).broken).toMatchObject({ line: first })
            writeFileSync(file, `${edited.join("\n")}\n`)
            expect(standAlone(file, "--public-key", key)).toMatchObject({
              code: 1,
              stdout: expect.stringContaining(`line ${first}`)
            })
          }
          const edits = fc.oneof({ weight: 3, arbitrary: editOfByte(lines) }, editOfLines(lines))
          for (const [i, edit] of fc.sample(edits, { numRuns: runs, seed }).entries()) {
            const { broken } = yield* verify(edit.lines)
            if (broken?.line !== edit.named && broken?.sequence !== edit.named)
              missed.push({ what: edit.what, named: edit.named, broken })
            if (i >= strangers) continue
            writeFileSync(file, Buffer.concat(edit.lines.flatMap((line) => [line, Buffer.from("\n")])))
            const { code, stdout } = standAlone(file, "--public-key", key)
            if (
              code !== 1 ||
              !new RegExp(`^(?:line|entry) ${edit.named}\\b|\\bentry ${edit.named}\\b`).test(stdout)
            )
              missed.push({ what: edit.what, named: edit.named, stdout })
          }
          rmSync(folder, { recursive: true })
          expect(missed).toEqual([])
        }),
      { timeout: 60_000 + runs * 20 }
    )
  }
)
