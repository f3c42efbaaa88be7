/**
 * Cursor's own hook runner, taken from `@cursor/sdk`, which does not export it: a program that reads {hooks, workspace, event, request} on
 * standard input and prints the runner's result for the hook. The rest of Cursor needs its service.
 */

import { readdirSync, readFileSync } from "node:fs"
import { createRequire, registerHooks } from "node:module"
import { basename, dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const found = (pattern: RegExp, source: string): RegExpExecArray => {
  const match = pattern.exec(source)
  if (match === null) throw new Error(`@cursor/sdk has another shape: ${pattern} is not in it`)
  return match
}

const load = createRequire(import.meta.url)
const main = join(dirname(load.resolve("@cursor/sdk")), "../cjs/index.js")
const index = readFileSync(main, "utf8")
const chunk = readdirSync(dirname(main))
  .filter((name) => /^\d+\.js$/.test(name))
  .find((name) => readFileSync(join(dirname(main), name), "utf8").includes("executeHookForStep(e,t,r){"))
const source = readFileSync(join(dirname(main), chunk ?? ""), "utf8")

const required = found(
  /function (\w)\((\w)\)\{var (\w)=(\w)\[\2\];if\(void 0!==\3\)return \3\.exports/,
  index
)
const runner = found(/class \w+\{constructor\(e,t,r,n,o,i,s,a\)\{this\.workspacePath=t/, source)
const [, shell] = found(/createTerminalExecutor\)&&void 0!==\w+\?\w+:(\w+)\)\(\)/, source)
const [chunks] = found(
  /\[(?:\w\.e\(\d+\),?)+\](?=\)\.then\(\w\.bind\(\w,"\.\/src\/agent\/local-executor\.ts")/,
  index
)

const opened = (at: RegExpExecArray, into: string, insert: string, offset: number): string =>
  `${into.slice(0, at.index + offset)}${insert}${into.slice(at.index + offset)}`

const patched: Readonly<Record<string, string>> = {
  "index.js": opened(required, index, `globalThis.cursorRequire=${required[1]};`, 0),
  [chunk ?? ""]: opened(
    runner,
    source,
    `static{globalThis.CursorRunner=this;globalThis.cursorShell=()=>${shell}()}`,
    runner[0].indexOf("{") + 1
  )
}

registerHooks({
  load: (url, context, next) => {
    const name = url.startsWith("file:") && dirname(fileURLToPath(url)) === dirname(main) ? basename(url) : ""
    const text = patched[name]
    return text === undefined ? next(url, context) : { format: "commonjs", source: text, shortCircuit: true }
  }
})

interface Opened {
  readonly cursorRequire: ((module: string) => unknown) & { readonly e: (id: number) => Promise<unknown> }
  readonly cursorShell: () => unknown
  readonly CursorRunner: new (...words: ReadonlyArray<unknown>) => {
    readonly executeHookForStep: (event: string, request: object) => Promise<unknown>
  }
}

const { event, hooks, request, workspace } = JSON.parse(await text(process.stdin))
load(main)
const cursor = globalThis as unknown as Opened
await Promise.all([...chunks.matchAll(/\d+/g)].map(([id]) => cursor.cursorRequire.e(Number(id))))
cursor.cursorRequire("./src/agent/local-executor.ts")
const config = { userHooks: hooks, configDirs: { user: workspace } }
const about = { cursor_version: "1.0.32", user_email: null }
const { CursorRunner, cursorShell } = cursor
const here = new CursorRunner(config, workspace, about, cursorShell(), undefined, undefined, undefined, {
  commandHookPayloadTransport: process.argv[2]
})
console.log(JSON.stringify(await here.executeHookForStep(event, request)))
process.exit(0)
