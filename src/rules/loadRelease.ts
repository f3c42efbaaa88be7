/** Loads the working files, or a frozen release, into a model. */

import { join } from "node:path"
import { Result, SemVer } from "effect"
import { openFrozen } from "./frozen.ts"
import { type Prepared, prepareModel } from "./prepareModel.ts"
import type { Read } from "./Read.ts"
import { entriesOf, readRuleTree, type Root } from "./readTree.ts"
import { draftDigest, releaseFiles } from "./releaseDocument.ts"

export const loadDraft = (root: Root): Read<Prepared> =>
  Result.flatMap(readRuleTree(root), (files) => prepareModel(files, draftDigest(files)))

/** Versions frozen below a folder, oldest first; `prefix` stands before the version in the file name. */
export const listVersions = (folder: string, prefix = ""): ReadonlyArray<string> =>
  entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix) && entry.name.endsWith(".json"))
    .flatMap((entry) =>
      Result.match(SemVer.parse(entry.name.slice(prefix.length, -".json".length)), {
        onFailure: () => [],
        onSuccess: (version) => [version]
      })
    )
    .toSorted(SemVer.Order)
    .map(SemVer.format)

export const listReleases = (root: Root): ReadonlyArray<string> =>
  listVersions(join(root, "rules", "releases"))

export const loadRelease = (root: Root, version: string): Read<Prepared> => {
  const file = `rules/releases/${version}.json`
  return openFrozen(root, file).pipe(
    Result.flatMap((json) => releaseFiles(file, version, json)),
    Result.flatMap(({ digest, files }) => prepareModel(files, digest))
  )
}
