/** Files of source code, styles and prose: what one is called after it is about, and does not hold. `src/token.ts` is no token. */

import type { ActClass } from "./Act.ts"
import { pathInJson } from "./readArguments.ts"
import type { NameReading } from "./readName.ts"
import type { ObjectNoun, Vocabulary } from "./Vocabulary.ts"
import { splitName } from "./splitName.ts"

/** What is done to a file as a file. A file that runs, or that is sent away, does or shows what is in it. */
const ofFiles: ReadonlySet<ActClass> = new Set<ActClass>(["read", "write", "delete"])

/** `acme/web:src/[id]/page.tsx#L4-L9`: one path, of a repository and with its lines where it is said so, and no sign of a text. */
const onePath =
  /^(?:[\w.-]+\/[\w.-]+:|[A-Za-z]:(?=[\\/]))?(?<path>[\w@~.\-+$()[\]\\/]+)(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)?$/

interface Path {
  readonly isAbsolute: boolean
  readonly folders: ReadonlyArray<string>
  readonly stem: string
  readonly ending: string
}

const pathOf = (resource: string): Path | undefined => {
  const path = onePath.exec(resource.trim())?.groups?.["path"]
  if (path === undefined) return undefined
  const parts = path.split(/[\\/]+/)
  const file = parts.at(-1) ?? ""
  const dot = file.lastIndexOf(".")
  const folders = parts
    .slice(0, -1)
    .filter((folder) => folder !== "" && folder !== ".")
    .map((folder) => folder.toLowerCase())
  return {
    isAbsolute: path.startsWith("/"),
    folders,
    stem: file.slice(0, Math.max(0, dot)),
    ending: file.slice(dot + 1).toLowerCase()
  }
}

/** A folder that tools and the system keep to themselves: `.aws`, `.github`, `/etc`. */
const isReserved = ({ folders, isAbsolute }: Path, { sets }: Vocabulary): boolean =>
  folders.some((folder) => /^\.[^.]/.test(folder)) ||
  (isAbsolute && sets.systemFolders?.has(folders[0] ?? "") === true)

const isSensitive = ({ holds }: ObjectNoun): boolean =>
  holds !== undefined && holds !== "public" && holds !== "internal"

/** What could be in the file itself: a secret where people keep those (`config/credentials.py`), or notes on people (`patients/miller.md`). */
const couldHold = ({ ending, folders, stem }: Path, { isKnown, sets, words }: Vocabulary): boolean => {
  const isCode = folders.some((folder) => sets.sourceFolders?.has(folder))
  const spelled = splitName(stem, isKnown).words
  const nounOf = (word: string): ObjectNoun | undefined => words.get(word)?.noun
  const isSecret = sets.secretFiles?.has(spelled.join(" ")) === true
  if (isSecret || spelled.some((word) => nounOf(word)?.is === "credential")) {
    if (folders.some((folder) => sets.secretFolders?.has(folder)) || folders.at(-1) === "~") return true
    if (isSecret && !isCode) return true
  }
  if (isCode || sets.proseEndings?.has(ending) !== true) return false
  const all = [...folders.flatMap((folder) => splitName(folder, isKnown).words), ...spelled]
  return all.some((word) => {
    const noun = nounOf(word)
    return noun !== undefined && (noun.is === "credential" || isSensitive(noun))
  })
}

/** Whether a call does something to a file as a file, and the file is source. What is kept back stays what its words say. */
export const handlesSource = (
  resource: string | undefined,
  { class: own, kind, object, verb }: NameReading,
  isPlain: (object: string) => boolean,
  vocabulary: Vocabulary
): boolean => {
  const { sets } = vocabulary
  if (sets.sourceEndings === undefined || resource === undefined || !ofFiles.has(own)) return false
  if (object !== undefined && !isPlain(object) && kind !== "code") return false
  if (sets.outward.has(verb ?? "")) return false
  const path = pathOf(pathInJson(resource, sets.pathKeys) ?? resource)
  if (
    path === undefined ||
    !(sets.sourceEndings.has(path.ending) || sets.proseEndings?.has(path.ending) === true)
  )
    return false
  // `config.py` and `next.config.js` set how things run.
  const isConfig = sets.configFiles?.has(path.stem.slice(path.stem.lastIndexOf(".") + 1)) === true
  return !isConfig && !isReserved(path, vocabulary) && !couldHold(path, vocabulary)
}
