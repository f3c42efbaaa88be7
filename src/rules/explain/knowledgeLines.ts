/** Finds the lines in the working files that contain a piece of knowledge. */

import { readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { ReadingEvidence } from "../../scoring/reading/explainReading.ts"
import { listJson, type Root } from "../files/readTree.ts"
import { snakeCase } from "../files/vocabulary.ts"
import { wordsOf } from "../lexicon/actText.ts"

export interface KnowledgePlace {
  /** Relative to the root: `rules/lexicon/programs/git.json`. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

const folder = "rules/lexicon"
const namesLine = /^\s*"names": "(.+)",?$/

const openFile = (root: Root, path: string) => {
  const lines = readFileSync(path, "utf8").split("\n")
  /** The names of the programs in the file. */
  const programs = new Set(lines.flatMap((line) => wordsOf(namesLine.exec(line)?.[1])))
  return { file: relative(root, path), name: basename(path, ".json"), lines, programs }
}

type KnowledgeFile = ReturnType<typeof openFile>

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Finds the lines behind evidence in the working files. Undefined if no working file has such a line: another release was used, or several
 * lines together state it.
 */
export const knowledgeLines = (
  root: Root
): ((evidence: Pick<ReadingEvidence, "source" | "line">) => KnowledgePlace | undefined) => {
  const files = listJson(join(root, folder))
    .filter((path) => !path.endsWith(".cases.json"))
    .map((path) => openFile(root, path))
  const placeOf = (
    isMeant: (file: KnowledgeFile) => boolean,
    isLine: (line: string) => boolean
  ): KnowledgePlace | undefined => {
    for (const one of files.filter(isMeant)) {
      const at = one.lines.findIndex(isLine)
      if (at >= 0) return { file: one.file, line: at + 1 }
    }
    return undefined
  }
  const begins = (key: string) => (line: string) => line.trimStart().startsWith(`"${inJson(key)}":`)
  const commandPlace = (text: string): KnowledgePlace | undefined => {
    const space = text.indexOf(" ")
    const [program, form] = space < 0 ? [text, ""] : [text.slice(0, space), text.slice(space + 1)]
    const spelled = `"${inJson(form)}",`
    const isForm = (line: string) => line.trimStart().startsWith(spelled) || line.includes(`[${spelled}`)
    return (
      placeOf(({ programs }) => programs.has(program), isForm) ??
      placeOf(({ name }) => name === "commands", program === "unlisted" ? isForm : begins(snakeCase(text)))
    )
  }
  return ({ line, source }) => {
    const space = line.indexOf(" ")
    const [first, rest] = [line.slice(0, Math.max(0, space)), line.slice(space + 1)]
    if (source === "command" || source === "prose") return commandPlace(line)
    if (source === "provider") return placeOf(({ name }) => name === first, begins(rest))
    if (first === "verb") return placeOf(({ name }) => name === "verbs", begins(rest.split(",")[0] ?? ""))
    if (first === "noun") return placeOf(({ name }) => name === "objects", begins(rest))
    if (first === "signal")
      return placeOf(
        ({ name }) => name === "signals",
        (text) => text.includes(`"id": "${inJson(rest)}"`)
      )
    return undefined
  }
}
