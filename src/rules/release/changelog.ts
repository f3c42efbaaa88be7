/** Reads the changelogs of rule releases and policy sets: the entries of each version. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Root } from "../files/readTree.ts"

export interface ChangelogItem {
  /** The joined lines of the item, without the bullet and the star. */
  readonly text: string
  /** Whether the item has a ★, which marks a change that can affect a score or a control. */
  readonly moves: boolean
  /** The first line of the item, from 1. */
  readonly line: number
  /** From `Accepted lower: <code>, because <reason>`: the code that may lower a score or weaken a control, and the reason. */
  readonly accepted?: { readonly code: string; readonly reason: string }
}

export interface ChangelogEntry {
  readonly version: string
  /** The line of the heading, from 1. */
  readonly line: number
  readonly items: ReadonlyArray<ChangelogItem>
}

interface OpenItem {
  readonly words: Array<string>
  readonly line: number
}

const heading = /^## +(\S+)/
const bullet = /^[-*] +(\S.*)$/
const continuation = /^ +(\S.*)$/
const star = /^★ */
const acceptance = /^Accepted lower: `?([\w.-]+)`?, because (\S.*)$/

const itemOf = ({ line, words }: OpenItem): ChangelogItem => {
  const whole = words.join(" ")
  const text = whole.replace(star, "")
  const [, code, reason] = acceptance.exec(text) ?? []
  const item = { text, moves: star.test(whole), line }
  return code === undefined || reason === undefined ? item : { ...item, accepted: { code, reason } }
}

/** In file order, which is newest first. */
export const readChangelog = (text: string): ReadonlyArray<ChangelogEntry> => {
  const entries: Array<{ version: string; line: number; items: Array<OpenItem> }> = []
  let open: OpenItem | undefined
  for (const [index, written] of text.split("\n").entries()) {
    const line = written.trimEnd()
    const [, version] = heading.exec(line) ?? []
    const [, begun] = bullet.exec(line) ?? []
    const [, continued] = continuation.exec(line) ?? []
    if (version !== undefined) entries.push({ version, line: index + 1, items: [] })
    if (begun !== undefined) {
      open = { words: [begun], line: index + 1 }
      entries.at(-1)?.items.push(open)
    } else if (continued === undefined) open = undefined
    else open?.words.push(continued)
  }
  return entries.map((entry) => ({ ...entry, items: entry.items.map(itemOf) }))
}

/** A missing file has no entries. */
export const readChangelogFile = (root: Root, file: string) => {
  const path = join(root, file)
  return { file, entries: existsSync(path) ? readChangelog(readFileSync(path, "utf8")) : [] }
}
