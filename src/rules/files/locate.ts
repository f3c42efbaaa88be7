/** Finds the line and column of each finding. Reads only files with findings again. */

import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { join } from "node:path"
import { readBytes, tooDeepAt } from "../../json/jsonText.ts"
import { byCodeUnit } from "../../json/json.ts"
import { ruleFileBytesMax } from "../../limits.ts"
import { type Finding, lints, type LocatedFinding } from "../Finding.ts"
import type { Root } from "./readTree.ts"

/** Both from 1. The column is in UTF-16 code units. */
interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The fields of a finding that locate it in a file. */
type FindingLocation = Pick<Finding, "file" | "path" | "at" | "offset">

const firstPosition: TextPosition = { line: 1, column: 1 }

interface ParsedText {
  readonly text: string
  readonly tree: Node | undefined
}

const openText = (path: string): ParsedText | null => {
  const bytes = readBytes(path, ruleFileBytesMax)
  if (typeof bytes === "string") return null
  const text = bytes.toString("utf8")
  return { text, tree: tooDeepAt(text) === null ? parseTree(text) : undefined }
}

/** The node at the path, or the closest ancestor that exists. */
const nodeAt = (tree: Node, path: Finding["path"]): Node => {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length).map((step) => (typeof step === "number" ? step : String(step)))
    const node = findNodeAtLocation(tree, steps)
    if (node !== undefined) return node
  }
  return tree
}

const offsetOf = ({ tree }: ParsedText, { path, at, offset }: FindingLocation): number => {
  if (offset !== undefined || tree === undefined) return offset ?? 0
  const node = nodeAt(tree, path)
  const key = at === "key" && node.parent?.type === "property" ? node.parent.children?.[0] : undefined
  return (key ?? node).offset
}

const positionOf = (text: string, offset: number): TextPosition => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Reads each file once. Findings in an unreadable file are located on its first line. */
export const locator = (root: Root): ((location: FindingLocation) => TextPosition) => {
  const texts = new Map<string, ParsedText | null>()
  return (location) => {
    const { file } = location
    const text = texts.has(file) ? texts.get(file) : openText(join(root, file))
    texts.set(file, text ?? null)
    return text == null ? firstPosition : positionOf(text.text, offsetOf(text, location))
  }
}

export const inReadingOrder = (a: LocatedFinding, b: LocatedFinding): number =>
  byCodeUnit(a.file, b.file) || a.line - b.line || a.column - b.column || byCodeUnit(a.rule, b.rule)

export type Locate = ReturnType<typeof locator>

export const locateFinding = (locate: Locate, finding: Finding): LocatedFinding => ({
  rule: finding.rule,
  severity: lints[finding.rule].severity,
  file: finding.file,
  ...locate(finding),
  message: finding.message.replaceAll(/\s+/g, " "),
  ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion })
})

/** Ascending by file, line and column. */
export const locateFindings = (
  root: Root,
  findings: ReadonlyArray<Finding>
): ReadonlyArray<LocatedFinding> => {
  const locate = locator(root)
  return findings.map((finding) => locateFinding(locate, finding)).toSorted(inReadingOrder)
}
