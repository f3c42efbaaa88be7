import { NodeServices } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { execFile, execFileSync } from "node:child_process"
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { writeWhole } from "../../src/cli/operatorFiles.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-write-"))
afterAll(() => rmSync(folder, { recursive: true }))

const out = join(folder, "out.ndjson")
const bytes = (...texts: ReadonlyArray<string>) => Stream.fromIterable(texts.map((text) => Buffer.from(text)))
const written = (stream: Stream.Stream<Uint8Array, string>, path = out) =>
  Effect.exit(writeWhole(path, stream)).pipe(Effect.provide(NodeServices.layer))

it.effect("a file that is written whole has everything, and no draft is left next to it", () =>
  Effect.gen(function* () {
    writeFileSync(out, "what was there before")
    expect((yield* written(bytes("a\n", "b\n")))._tag).toBe("Success")
    expect(readFileSync(out, "utf8")).toBe("a\nb\n")
    expect(readdirSync(folder)).toEqual(["out.ndjson"])
  })
)

it.effect("a stream that fails half-way leaves the file as it was", () =>
  Effect.gen(function* () {
    const broken = Stream.concat(bytes("half"), Stream.fail("the database went away"))
    expect((yield* written(broken))._tag).toBe("Failure")
    expect(readFileSync(out, "utf8")).toBe("a\nb\n")
    expect(readdirSync(folder)).toEqual(["out.ndjson"])
  })
)

it.effect("a link stays, and the file that it leads to is replaced", () =>
  Effect.gen(function* () {
    const [link, target] = [join(folder, "link"), join(folder, "target")]
    writeFileSync(target, "what was there before")
    symlinkSync("target", link)
    expect((yield* written(bytes("a\n"), link))._tag).toBe("Success")
    expect([lstatSync(link).isSymbolicLink(), readFileSync(target, "utf8")]).toEqual([true, "a\n"])
  })
)

it.effect("a pipe is written into, and nothing replaces it", () =>
  Effect.gen(function* () {
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    const reader = execFile("cat", [pipe])
    const read = new Promise<string>((resolve) => reader.stdout?.once("data", resolve))
    expect((yield* written(bytes("a\n", "b\n"), pipe))._tag).toBe("Success")
    expect(yield* Effect.promise(() => read)).toBe("a\nb\n")
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })
)

it.effect("a folder that is not there is refused by the name of the file", () =>
  Effect.gen(function* () {
    const path = join(folder, "missing", "x.ndjson")
    const refused = yield* Effect.flip(writeWhole(path, bytes("a")).pipe(Effect.provide(NodeServices.layer)))
    expect(refused.message).toContain(`${path} cannot be written`)
  })
)
