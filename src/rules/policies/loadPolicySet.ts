/** Loads a policy set: its newest frozen version, or the working folder where nothing is frozen. */

import { join } from "node:path"
import { Result } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { PolicyReleaseFile } from "../files/PolicyReleaseFile.ts"
import { openFrozen } from "../frozen.ts"
import { listVersions } from "../loadRelease.ts"
import type { Read } from "../Read.ts"
import { entriesOf, readPolicyTree, type Root } from "../readTree.ts"
import { stated } from "../releaseDocument.ts"
import type { PolicyFiles } from "../SourceFile.ts"
import { type PreparedPolicySet, preparePolicySet, unreadablePolicySet } from "./PreparedPolicySet.ts"

const frozenFolder = "releases"

/** Sets that have a working folder or a frozen version. */
export const listPolicySets = (root: Root): ReadonlyArray<string> => {
  const working = entriesOf(join(root, "policies"))
    .filter((entry) => entry.isDirectory() && entry.name !== frozenFolder)
    .map(({ name }) => name)
  const frozen = entriesOf(join(root, "policies", frozenFolder)).flatMap(({ name }) => {
    const [set = "", version] = name.split("@")
    return version === undefined ? [] : [set]
  })
  return [...new Set([...working, ...frozen])].toSorted()
}

const readFrozen = (root: Root, set: string, version: string): Read<PolicyFiles> => {
  const file = `policies/${frozenFolder}/${set}@${version}.json`
  return openFrozen(root, file).pipe(
    Result.flatMap((json) => decodeFile(PolicyReleaseFile, { file, name: set, folder: frozenFolder, json })),
    Result.map(({ policy, rules }) => ({
      policy: { file, name: "policy", folder: set, json: policy },
      rules: rules.map((json) => {
        const name = stated(json, "id")
        return { file: `${file} (${name})`, name, folder: set, json }
      })
    }))
  )
}

/** Never fails: what cannot be read is part of the answer, at its worst. */
export const loadPolicySet = (root: Root, set: string): PreparedPolicySet => {
  const frozen = listVersions(join(root, "policies", frozenFolder), `${set}@`).at(-1)
  const files = frozen === undefined ? readPolicyTree(root, set) : readFrozen(root, set, frozen)
  return Result.match(files, {
    onFailure: (findings) => unreadablePolicySet(set, findings),
    onSuccess: (read) => preparePolicySet(set, read)
  })
}
