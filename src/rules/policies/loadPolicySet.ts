/** Loads a policy set: its newest frozen version, or its working folder if no version is frozen. */

import { Result } from "effect"
import { join } from "node:path"
import { type Read, succeedUnless } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicyReleaseFile } from "../files/policyFiles.ts"
import { entriesOf, type PolicyFiles, readPolicyTree, type Root } from "../files/readTree.ts"
import { statedText } from "../files/releaseDocument.ts"
import { openFrozen } from "../release/frozen.ts"
import { versionsIn } from "../release/loadRelease.ts"
import { type PreparedPolicySet, preparePolicySet, unreadablePolicySet } from "./PreparedPolicySet.ts"

/** The folder of frozen versions below `policies/`. No set can have this name. */
export const frozenFolder = "releases"

const frozenNames = (root: Root): ReadonlyArray<string> =>
  entriesOf(join(root, "policies", frozenFolder)).map(({ name }) => name)

/** The newest version of each set, from the names of frozen files. */
export const newestFrozen = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const sets = Map.groupBy(names, (name) => name.split("@", 1)[0] ?? "")
  return new Map(
    [...sets].flatMap(([set, names]) => {
      const newest = versionsIn(names, `${set}@`).at(-1)
      return newest === undefined ? [] : [[set, newest] as const]
    })
  )
}

/** The sets with a working folder or a frozen version. */
export const listPolicySets = (root: Root): ReadonlyArray<string> => {
  const working = entriesOf(join(root, "policies"))
    .filter((entry) => entry.isDirectory() && entry.name !== frozenFolder)
    .map(({ name }) => name)
  return [...new Set([...working, ...newestFrozen(frozenNames(root)).keys()])].toSorted()
}

const readFrozen = (root: Root, set: string, version: string): Read<PolicyFiles> => {
  const file = `policies/${frozenFolder}/${set}@${version}.json`
  return openFrozen(root, file).pipe(
    Result.flatMap((json) => decodeFile(PolicyReleaseFile, { file, name: set, folder: frozenFolder, json })),
    Result.flatMap(({ catalogue, policy, rules, ...named }) => {
      const isNamed =
        named.name === set && named.version === version && statedText(policy, "version") === version
      const message = `the version names itself \`${named.name}@${named.version}\``
      return succeedUnless(
        isNamed ? [] : [{ rule: "edited-release", file, path: ["version"], message }],
        () => ({
          policy: { file, name: "policy", folder: set, json: policy },
          rules: rules.map((json) => {
            const name = statedText(json, "id")
            return { file: `${file} (${name})`, name, folder: set, json }
          }),
          ...(catalogue === undefined
            ? {}
            : { catalogue: { file: `${file} (catalogue)`, name: "catalogue", folder: set, json: catalogue } })
        })
      )
    })
  )
}

/** Frozen versions, oldest first. */
export const listPolicyVersions = (root: Root, set: string): ReadonlyArray<string> =>
  versionsIn(frozenNames(root), `${set}@`)

/** Never fails: unreadable parts are assumed to be the worst case, and `findings` of the result lists them. */
export const loadPolicySet = (root: Root, set: string): PreparedPolicySet => {
  const frozen = listPolicyVersions(root, set).at(-1)
  const files = frozen === undefined ? readPolicyTree(root, set) : readFrozen(root, set, frozen)
  return Result.match(files, {
    onFailure: (findings) => unreadablePolicySet(set, findings),
    onSuccess: (read) => preparePolicySet(set, read)
  })
}

/** Loads a frozen version, or the working folder for `draft`. Fails with the findings if any part is unreadable. */
export const loadPolicyVersion = (root: Root, set: string, version: string): Read<PreparedPolicySet> =>
  Result.flatMap(
    version === "draft" ? readPolicyTree(root, set) : readFrozen(root, set, version),
    (files) => {
      const prepared = preparePolicySet(set, files)
      return succeedUnless(prepared.findings, () => prepared)
    }
  )
