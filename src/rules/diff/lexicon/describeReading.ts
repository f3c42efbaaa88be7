/** What a lexicon reads in a name, in a few words: `access single admin`. */

import type { Words } from "../../../scoring/Words.ts"

export const describeReading = ({ environment, namesEverything, normalized }: Words): string => {
  const { admin, alsoExports, credential, dataStore, extent, safeguardWeakened } = normalized
  const flags: ReadonlyArray<readonly [says: string, is: boolean]> = [
    ["bulk", extent === "bulk"],
    ["single", extent === "single"],
    ["data store", dataStore],
    ["admin", admin],
    ["credential", credential],
    ["also exports", alsoExports],
    ["weakens a safeguard", safeguardWeakened > 0],
    ["everything", namesEverything],
    ["production", environment === "production"]
  ]
  return [normalized.class, ...flags.flatMap(([says, is]) => (is ? [says] : []))].join(" ")
}
