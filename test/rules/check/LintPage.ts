/** A page of docs/lints as a test reads it. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../../src/rules/files/readTree.ts"

/** An example that can be tried: text of a clean file, and its replacement in a bad one. */
export interface Example {
  readonly file: string
  readonly good: string
  readonly bad: string
  /** The message of the finding. */
  readonly says: string
}

export interface LintPage {
  readonly title: string
  readonly summary: string
  readonly sections: ReadonlyArray<string>
  /** Null on pages about more than the text of one file. */
  readonly example: Example | null
}

const pattern =
  /## Bad\n\nIn `(?<file>[^`]+)`:\n\n```(?:json|text)\n(?<bad>[^]+?)\n```\n\n> (?<says>[^]+?)\n\n## Good\n\n```json\n(?<good>[^]+?)\n```\n/

export const readLintPage = (id: string): LintPage => {
  const text = readFileSync(join(packageRoot, "docs/lints", `${id}.md`), "utf8")
  const [, title = "", summary = ""] = /^# (.+)\n\n([^]+?)\n\n/.exec(text) ?? []
  const { bad, file, good, says } = pattern.exec(text)?.groups ?? {}
  return {
    title,
    summary: summary.replaceAll("\n", " "),
    sections: [...text.matchAll(/^## (.+)$/gm)].map(([, name = ""]) => name),
    example:
      file === undefined || bad === undefined || good === undefined || says === undefined
        ? null
        : { file, bad, good, says: says.replaceAll("\n> ", " ") }
  }
}

/** `text` with the bad example instead of the good one, however either is indented. */
export const spoilBy = (text: string, { bad, good }: Example): string => {
  const words = good.split(/\s+/).map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  const found = new RegExp(words.join(String.raw`\s*`)).exec(text)
  if (found === null) throw new Error(`no clean file says ${good}`)
  return text.slice(0, found.index) + bad + text.slice(found.index + found[0].length)
}
