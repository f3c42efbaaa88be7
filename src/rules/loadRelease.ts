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

/** The versions that file names carry behind `prefix`, oldest first. */
export const versionsIn = (names: ReadonlyArray<string>, prefix = ""): ReadonlyArray<string> =>
  names
    .filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
    .flatMap((name) =>
      Result.match(SemVer.parse(name.slice(prefix.length, -".json".length)), {
        onFailure: () => [],
        onSuccess: (version) => [version]
      })
    )
    .toSorted(SemVer.Order)
    .map(SemVer.format)

/** Oldest first. What is called like a release counts as one, whatever it is: opening it says what is wrong. */
export const listReleases = (root: Root): ReadonlyArray<string> =>
  versionsIn(entriesOf(join(root, "rules", "releases")).map(({ name }) => name))

export const loadRelease = (root: Root, version: string): Read<Prepared> => {
  const file = `rules/releases/${version}.json`
  return openFrozen(root, file).pipe(
    Result.flatMap((json) => releaseFiles(file, version, json)),
    Result.flatMap(({ digest, files }) => prepareModel(files, digest))
  )
}
