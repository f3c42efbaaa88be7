/** Where findings stand in the text of their files, as editors count; a file is read again only when it has a finding. */

import { join } from "node:path"
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { ruleFileBytesMax } from "../Limits.ts"
import { byCodeUnit } from "./byCodeUnit.ts"
import { lints } from "./Lint.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"
import type { Finding } from "./Problem.ts"
import { readBytes } from "./readJson/readBytes.ts"
import { scan } from "./readJson/scan.ts"
import type { Root } from "./readTree.ts"

/** Both from 1; the column in UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What names a place in a file. */
export type Spot = Pick<Finding, "file" | "path" | "at" | "offset">

const start: Place = { line: 1, column: 1 }

interface Text {
  readonly text: string
  readonly tree: Node | undefined
}

const open = (path: string): Text | null => {
  const bytes = readBytes(path, ruleFileBytesMax)
  if (typeof bytes === "string") return null
  const text = bytes.toString("utf8")
  return { text, tree: scan(text).tooDeepAt === null ? parseTree(text) : undefined }
}

/** The node that a path leads to, or the innermost one on the way that is there. */
const nodeAt = (tree: Node, path: Finding["path"]): Node => {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length).map((step) => (typeof step === "number" ? step : String(step)))
    const node = findNodeAtLocation(tree, steps)
    if (node !== undefined) return node
  }
  return tree
}

const offsetOf = ({ tree }: Text, { path, at, offset }: Spot): number => {
  if (offset !== undefined || tree === undefined) return offset ?? 0
  const node = nodeAt(tree, path)
  const key = at === "key" && node.parent?.type === "property" ? node.parent.children?.[0] : undefined
  return (key ?? node).offset
}

const placeOf = (text: string, offset: number): Place => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Each file is read once; what cannot be read has its findings on its first line. */
export const locator = (root: Root): ((spot: Spot) => Place) => {
  const texts = new Map<string, Text | null>()
  return (spot) => {
    const text = texts.has(spot.file) ? texts.get(spot.file) : open(join(root, spot.file))
    texts.set(spot.file, text ?? null)
    return text == null ? start : placeOf(text.text, offsetOf(text, spot))
  }
}

export const inReadingOrder = (a: LocatedFinding, b: LocatedFinding): number =>
  byCodeUnit(a.file, b.file) || a.line - b.line || a.column - b.column || byCodeUnit(a.rule, b.rule)

/** Ascending by file, line and column. */
export const locateFindings = (
  root: Root,
  findings: ReadonlyArray<Finding>
): ReadonlyArray<LocatedFinding> => {
  const locate = locator(root)
  return findings
    .map((finding): LocatedFinding => ({
      rule: finding.rule,
      severity: lints[finding.rule].severity,
      file: finding.file,
      ...locate(finding),
      message: finding.message.replaceAll(/\s+/g, " "),
      ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion })
    }))
    .toSorted(inReadingOrder)
}
