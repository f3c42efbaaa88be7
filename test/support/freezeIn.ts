/** Freezes working files without any gate, for tests of frozen files. */

import { Result } from "effect"
import { policyDocument } from "../../src/rules/files/policyFiles.ts"
import { readPolicyTree, readRuleTree, type Root } from "../../src/rules/files/readTree.ts"
import { releaseDocument, statedText } from "../../src/rules/files/releaseDocument.ts"
import { freeze } from "../../src/rules/release/frozen.ts"
import { read } from "./read.ts"

const releasedAt = "2026-11-02T09:00:00Z"

const written = (frozen: ReturnType<typeof freeze>): string => Result.getOrThrowWith(frozen, Error).file

/** Uses the version in the files. Returns the written file. */
export const freezeRules = (root: Root): string => {
  const files = read(readRuleTree(root))
  const name = statedText(files.ruleset.json, "version")
  return written(freeze({ root, kind: "rules", name }, releaseDocument(files, name, releasedAt)))
}

export const freezePolicies = (root: Root, set: string): string => {
  const files = read(readPolicyTree(root, set))
  const version = statedText(files.policy.json, "version")
  const document = policyDocument(files, set, version, releasedAt)
  return written(freeze({ root, kind: "policies", name: `${set}@${version}` }, document))
}
