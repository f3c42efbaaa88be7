/**
 * Documents, comments and messages avoid turns of phrase that read as translated (`foreignTurns.ts`). `PROSE=src/api npx vitest run
 * test/docs/prose.test.ts` shows each place in a room.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { proseIn } from "../architecture/codeOnly.ts"
import { sourceTree } from "../architecture/SourceFile.ts"
import { foreignTurns } from "./foreignTurns.ts"

/** Rooms that are not clean yet, with how many turns they have. A number may only fall; a room without one has none. */
const left: Readonly<Record<string, number>> = {
  // Worked examples that hold messages of rules/.
  "src/api": 4,
  "src/assessment": 13,
  // The rest are texts of the schemas and messages.
  "src/scoring": 2
}

interface Passage {
  readonly file: string
  readonly line: number
  readonly text: string
}

const root = join(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** The text between backticks is code. */
const plain = (text: string): string =>
  text
    .replaceAll(/`[^`\n]*`/g, "`x`")
    .replaceAll("**", "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Paragraphs, items and cells, without blocks of code. */
const passagesOfDocument = (file: string): ReadonlyArray<Passage> => {
  const text = read(file).replaceAll(
    /^```[\s\S]*?^```|^<!--[\s\S]*?-->|^ {4,}\S.*$|^\|[-| :]+\|$/gm,
    (block) => block.replaceAll(/[^\n]/g, "")
  )
  return [...text.matchAll(/(?:.+\n?)+?(?=\n|$|\s*(?:[-*>#]|\d+\.) |\|)/g)].flatMap(({ 0: part, index }) =>
    part.split(/(?<!\\)\|/).map((cell) => ({
      file,
      line: lineAt(text, index),
      text: plain(cell.replace(/^\s*(?:[-*>]|#+|\d+\.) /, ""))
    }))
  )
}

const titleOf = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*$/

/** Comments and messages; in tests and benches the titles in place of the messages, which are data there. */
const passagesOfSource = (file: string, text: string): ReadonlyArray<Passage> =>
  proseIn(text)
    .filter(({ offset, text: written }) => {
      if (/^\/[/*]/.test(written)) return true
      return file.startsWith("src/") ? / .+ .+ /.test(written) : titleOf.test(text.slice(0, offset))
    })
    .map(({ offset, text: written }) => ({
      file,
      line: lineAt(text, offset),
      text: plain(
        written
          .replaceAll(/^\s*(?:\/\/|\*(?!\/)|\/\*\*?)/gm, "")
          .replace(/\*\/$/, "")
          .replaceAll(/\$\{[^}]*\}/g, "x")
          .replace(/^["'`]|["'`]$/g, "")
      )
    }))

const documentsIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`.replaceAll("\\", "/"))

/** Folders of tests that are rooms of their own, because they are clean. */
const cleanTests = ["api", "architecture", "bench", "client", "docs", "local", "readme"].map(
  (name) => `test/${name}`
)
const leftOut = [...cleanTests, "test/clients"]

const atRoot = ["README.md", "SECURITY.md", "AGENTS.md", "CHANGELOG.md"]
const isRoom = (path: string) => existsSync(join(root, path)) && !path.endsWith(".ts")
const folders = readdirSync(join(root, "src")).map((name) => `src/${name}`)

const rooms: ReadonlyMap<string, ReadonlyArray<Passage>> = new Map([
  [
    "documents",
    [
      ...atRoot,
      "bench/README.md",
      ...documentsIn("docs").filter((file) => file !== "docs/cli.md" && !file.startsWith("docs/lints/")),
      ...documentsIn("examples")
    ].flatMap(passagesOfDocument)
  ],
  // Half of their sentences are messages of src/rules.
  ["docs/lints", documentsIn("docs/lints").flatMap(passagesOfDocument)],
  ...[...folders.filter(isRoom), ...cleanTests, "bench", "test", "examples"].map(
    (folder) =>
      [
        folder,
        sourceTree(folder)
          .filter(({ path }) => path !== "test/docs/foreignTurns.ts")
          .filter(({ path }) => folder !== "test" || !leftOut.some((one) => path.startsWith(`${one}/`)))
          .flatMap(({ lines, path }) => passagesOfSource(path, lines.join("\n")))
      ] as const
  ),
  [
    "src",
    folders.filter((path) => path.endsWith(".ts")).flatMap((path) => passagesOfSource(path, read(path)))
  ]
])

const turnsIn = (passages: ReadonlyArray<Passage>): ReadonlyArray<string> =>
  passages.flatMap(({ file, line, text }) =>
    foreignTurns.flatMap(({ better, name, pattern }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => {
        const around = text.slice(Math.max(0, index - 30), index + found.length + 30)
        return `${file}:${line} ${name}: …${around}… Better: ${better}`
      })
    )
  )

/** Words that people write for people: no files and outputs that a page shows, and no page that a test writes. */
const wordsOf = (file: string): number =>
  read(file)
    .replaceAll(/^<!-- is the file: .*-->\n+```[\s\S]*?^```|^```(?:console|text)\n[\s\S]*?^```/gm, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const pages = [...atRoot, ...documentsIn("docs")].filter(
  (file) => !["docs/cli.md", "docs/agents/hosts.md"].includes(file)
)

describe("the documents", () => {
  it("have at most 60,000 words", () => {
    expect(pages.map(wordsOf).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(60_000)
  })

  it.each(pages.filter((file) => file.startsWith("docs/adr/")))("decide in a page: %s", (file) => {
    expect(wordsOf(file)).toBeLessThanOrEqual(750)
  })

  it.each(pages.filter((file) => /^docs\/(?!adr\/\d|lints\/[a-z]|agents\/)/.test(file)))(
    "begin with what a reader can do afterwards: %s",
    (file) => {
      expect(read(file)).toMatch(/^# .+\n\n(?:[^#]*?\n\n)?After this page /)
    }
  )
})

describe("prose", () => {
  it.each([...rooms])("reads as if it were not translated: %s", (room, passages) => {
    expect(passages.length).toBeGreaterThan(3)
    const found = turnsIn(passages)
    if (process.env["PROSE"] === room) console.log(found.join("\n"))
    const most = left[room] ?? 0
    expect(found.length, `\n${found.slice(most === 0 ? 0 : -10).join("\n")}\n`).toBeLessThanOrEqual(most)
  })

  it("lists no folder that is clean or missing", () => {
    const stale = Object.keys(left).filter((room) => turnsIn(rooms.get(room) ?? []).length === 0)
    expect(stale).toEqual([])
  })

  it.each(foreignTurns)("recognizes each turn: $name", ({ pattern }) => {
    const seen = [
      "What waits is not counted as an attempt.",
      "Who asks alone shares nothing.",
      "Whoever asks for help gets it as an answer.",
      "Where nobody waits, it ends.",
      "Of several entries the first counts.",
      "The value is behind a key.",
      "The row stands in a table.",
      "It lies beside the file.",
      "The changelog tells of it.",
      "Each rule speaks of one fact.",
      "The hook hears of each call.",
      "A backtest is of one organization.",
      "So is the second one.",
      "Neither is the third one.",
      "It runs in the place of the server.",
      "It is counted anew.",
      "A release is under way.",
      "Nothing became of it.",
      "It was mended later.",
      "It takes nothing but a word.",
      "It is shown at the first start alone.",
      "A service that is away answers nothing.",
      "A person is to be asked.",
      "It names every event that there is.",
      "It looks the key of a request up.",
      "It is read otherwise.",
      "It is raised thereby."
    ]
    expect(seen.filter((sentence) => sentence.match(pattern) !== null)).toHaveLength(1)
  })
})
