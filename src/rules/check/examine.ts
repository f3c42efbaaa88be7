/** Reads every working file of a folder on its own, so that what is wrong with one hides nothing of the others. */

import { join, relative } from "node:path"
import { Result } from "effect"
import { didYouMean } from "../nearestName.ts"
import type { Finding } from "../Problem.ts"
import { findingsOf } from "../Read.ts"
import { listJson, readSource, type Root, unreadIn } from "../readTree.ts"
import type { SourceFile } from "../SourceFile.ts"
import { type Content, kindOf } from "./FileKind.ts"

/** A file as far as it can be read. */
export interface Examined extends Content {
  readonly file: string
  /** Null where it is not JSON. */
  readonly source: SourceFile | null
  /** What reading it found. */
  readonly findings: ReadonlyArray<Finding>
}

const misplaced = (file: string): Finding => {
  const { hint, suggested } = didYouMean(file, [
    "rules/ruleset.json",
    "rules/currencies.json",
    "rules/calibration.json"
  ])
  const message = `nothing reads a file of this place and name${hint}`
  return { rule: "misplaced-file", file, path: [], message, ...suggested }
}

const examineFile = (root: Root, file: string): Examined => {
  const kind = kindOf(file)
  if (kind === undefined) return { file, source: null, findings: [misplaced(file)] }
  const source = readSource(root, join(root, file))
  if (Result.isFailure(source)) return { file, source: null, findings: source.failure }
  const content = kind.read(source.success)
  return {
    file,
    source: source.success,
    findings: findingsOf(content),
    ...(Result.isSuccess(content) ? content.success : {})
  }
}

/** Files in code unit order, then what is none; frozen files are not among them. */
export const examine = (root: Root, folder: string): ReadonlyArray<Examined> => {
  const frozen = (file: string) => /^(?:rules|policies)\/releases\//.test(file)
  const at = join(root, folder)
  return [
    ...listJson(at)
      .map((path) => relative(root, path).replaceAll("\\", "/"))
      .filter((file) => !frozen(file))
      .map((file) => examineFile(root, file)),
    ...unreadIn(root, at)
      .filter(({ file }) => !frozen(file))
      .map((finding) => ({ file: finding.file, source: null, findings: [finding] }))
  ]
}
