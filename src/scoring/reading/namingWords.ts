/** Decides which words of a resource name a thing. Keys of parameters, prose, and source files do not. */

import type { ActionClass } from "../../domain/Action.ts"
import { keyOf, splitName } from "../names/splitName.ts"
import type { NameReading } from "./readName.ts"
import type { ObjectNoun, Vocabulary } from "./Vocabulary.ts"

/** Arguments as JSON, which may be cut off. */
export const isJson = (text: string): boolean => text.trimStart().startsWith("{")

/** Replaces removed text, so that the words around it do not become neighbours. It is not in any word list. */
const gap = " x0x "

/** Removes schemes: `s3://` says where a thing is, not what kind of thing it is. */
export const withoutSchemes = (text: string): string => {
  let kept = ""
  let from = 0
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 1)) {
    let begin = at
    while (begin > from && /[a-z0-9+.-]/i.test(text.charAt(begin - 1))) begin--
    // A scheme begins with a letter that no other word character precedes.
    while (begin < at && !(/[a-z]/i.test(text.charAt(begin)) && !/\w/.test(text.charAt(begin - 1)))) begin++
    if (begin === at) continue
    kept += `${text.slice(from, begin)} `
    from = at + "://".length
  }
  return kept + text.slice(from)
}

/** `notes.txt` is a note and not a text message: removes file extensions that do not name a thing. */
export const withoutEndings = (text: string, namelessEndings: ReadonlySet<string>): string =>
  text.replaceAll(/\.([a-z]+)(?![\w.])/gi, (found, ending: string) =>
    namelessEndings.has(ending.toLowerCase()) ? " " : found
  )

const keyed = /"([\w.-]+)"\s*:/g

/** `{"owner":"acme","repo":"app"}` does not make anyone an owner: removes keys that only say where a thing is. */
export const withoutAddresses = (text: string, addressKeys: ReadonlySet<string>): string =>
  isJson(text)
    ? text.replaceAll(keyed, (found, key: string) => (addressKeys.has(keyOf(key)) ? " " : found))
    : text

/** A key before its value: `"pageToken": "x"`, `page_token=x`, `pageToken: x`. */
const keyInFront = /(?<![\w.-])([A-Za-z][\w.-]{0,40})(?=["']\s?:|\s?=(?!=)|:\s)/g

export const withoutKeys = (text: string, keys: ReadonlySet<string>): string =>
  text.replaceAll(keyInFront, (key: string) => (keys.has(keyOf(key)) ? gap : key))

/** Whether the text has a parameter that is not a place, and has no parameter for a state. */
export const statesMore = (
  text: string,
  { placeKeys: keys, stateKeys }: Pick<Vocabulary["sets"], "placeKeys" | "stateKeys">
): boolean => {
  const stated = Array.from(text.matchAll(keyInFront), ([, key = ""]) => keyOf(key))
  return !stated.some((key) => stateKeys.has(key)) && stated.some((key) => !keys.has(key))
}

/** The path in JSON arguments, if there is one. */
export const pathInJson = (text: string, pathKeys: ReadonlySet<string>): string | undefined => {
  if (!isJson(text)) return undefined
  const paths = Array.from(text.matchAll(/"([\w.-]+)"\s*:\s*"([^"\\]*)"/g)).filter(([, key = ""]) =>
    pathKeys.has(keyOf(key))
  )
  return paths.length === 1 ? paths[0]?.[2] : undefined
}

const decoded = (text: string): string =>
  text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(/\\[nrt"]/g, " ")
    .normalize("NFKC")

/**
 * Whether a text discloses a secret: `password: hunter2`, a token, a wallet's recovery phrase, or the number of a card, an account or a
 * person.
 */
export const handsOnSecret = (text: string, { texts }: Vocabulary): boolean =>
  texts.secretHandedOn.test(decoded(text))

/** `/approve`, `@dependabot merge`, `atlantis apply`: bots execute commands in comments. */
const toldToBot = /(?:^|\\n)\s{0,8}(?:\/[a-z][\w-]|@[\w-]{0,40}bot\b|atlantis )/i

/** A string or a list of strings after a key. The JSON may be cut off anywhere. */
const keyedTexts = /"([\w.-]{1,41})"\s*:\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|\[([^[\]{}]*)(?:\]|$))/g

const lastWord = (key: string): string => key.slice(key.search(/(?:[A-Z]?[a-z\d]*)$/)).toLowerCase()

/** Six words in a row count as a sentence for people, under any key. */
const sentence = /(?:\S+ ){5}\S/
export interface Prose {
  readonly keys: ReadonlySet<string>
  /** Sentences are removed under any key, not only under keys for prose. */
  readonly isSaid: boolean
  /** Outsiders read it. The text is kept except for mentions of passwords, because a mention alone discloses nothing. */
  readonly isOutside: boolean
}

/** JSON without its prose: a page about bank accounts does not change any. Keeps text that discloses a secret or commands a bot. */
export const withoutProse = (
  text: string,
  { isOutside, isSaid, keys }: Prose,
  vocabulary: Vocabulary
): string =>
  isJson(text)
    ? text.replaceAll(keyedTexts, (found, key: string, told = "", listed = "") => {
        const said = `${told}${listed}`
        const last = lastWord(key)
        const isSpeaker = key === "role" && vocabulary.sets.speakers.has(said)
        const isProse =
          isSpeaker ||
          keys.has(keyOf(key)) ||
          (last !== "name" && keys.has(last)) ||
          (isSaid && sentence.test(said))
        if (!isProse || handsOnSecret(said, vocabulary) || toldToBot.test(said)) return found
        return isOutside ? found.replaceAll(vocabulary.texts.secretNamed, gap) : gap
      })
    : text

/** Whether prose, in JSON or as the whole resource, discloses a secret. */
export const tellsSecret = (text: string, vocabulary: Vocabulary): boolean =>
  isJson(text)
    ? Array.from(text.matchAll(keyedTexts)).some(
        ([, key = "", told = "", listed = ""]) =>
          (vocabulary.sets.proseKeys.has(lastWord(key)) || sentence.test(told)) &&
          handsOnSecret(`${told}${listed}`, vocabulary)
      )
    : handsOnSecret(text, vocabulary)

/** Removes mail addresses, because the receiver says nothing about the content: `payroll@acme.example`. */
export const withoutMailAddresses = (text: string): string =>
  text.replaceAll(/[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, gap)

const script = /"\w*(?:content|contents|text|body|code)"\s*:\s*"(#!(?:[^"\\]|\\.)*)/

/** The script in the arguments of a tool that writes it down. It may run later. */
export const scriptIn = (text: string): string | undefined =>
  script
    .exec(text)?.[1]
    ?.replaceAll(/\\([nrt])/g, "\n")
    .replaceAll(/\\(.)/g, "$1")

/** Classes that treat a file as a file. Running a file performs its content, and sending it discloses its content. */
const ofFiles: ReadonlySet<ActionClass> = new Set<ActionClass>(["read", "write", "delete"])

/** `acme/web:src/[id]/page.tsx#L4-L9`: a single path, perhaps with its repository and lines, and nothing that suggests prose. */
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

/** A folder reserved for tools or the system: `.aws`, `.github`, `/etc`. */
const isReserved = ({ folders, isAbsolute }: Path, { sets }: Vocabulary): boolean =>
  folders.some((folder) => /^\.[^.]/.test(folder)) || (isAbsolute && sets.systemFolders.has(folders[0] ?? ""))

const isSensitive = ({ holds }: ObjectNoun): boolean =>
  holds !== undefined && holds !== "public" && holds !== "internal"

/** Whether the file may hold a secret, judged by its place (`config/credentials.py`), or data about people (`patients/miller.md`). */
const couldHold = ({ ending, folders, stem }: Path, { isKnown, sets, words }: Vocabulary): boolean => {
  const isCode = folders.some((folder) => sets.sourceFolders.has(folder))
  const spelled = splitName(stem, isKnown).words
  const nounOf = (word: string): ObjectNoun | undefined => words.get(word)?.noun
  const isSecret = sets.secretFiles.has(spelled.join(" "))
  if (isSecret || spelled.some((word) => nounOf(word)?.is === "credential")) {
    if (folders.some((folder) => sets.secretFolders.has(folder)) || folders.at(-1) === "~") return true
    if (isSecret && !isCode) return true
  }
  if (isCode || !sets.proseEndings.has(ending)) return false
  const all = [...folders.flatMap((folder) => splitName(folder, isKnown).words), ...spelled]
  return all.some((word) => {
    const noun = nounOf(word)
    return noun !== undefined && (noun.is === "credential" || isSensitive(noun))
  })
}

/**
 * Whether a call treats a source file as a file. Reserved, configuration and sensitive files do not qualify: they are read by their words.
 */
export const handlesSource = (
  resource: string | undefined,
  { class: own, kind, object, verb }: NameReading,
  vocabulary: Vocabulary
): boolean => {
  const { sets } = vocabulary
  if (resource === undefined || !ofFiles.has(own)) return false
  if (object !== undefined && !sets.sayingNothing.has(object) && kind !== "code") return false
  if (sets.outward.has(verb ?? "")) return false
  const path = pathOf(pathInJson(resource, sets.pathKeys) ?? resource)
  if (path === undefined || !(sets.sourceEndings.has(path.ending) || sets.proseEndings.has(path.ending)))
    return false
  // `config.py` and `next.config.js` control how things run.
  const isConfig = sets.configFiles.has(path.stem.slice(path.stem.lastIndexOf(".") + 1))
  return !isConfig && !isReserved(path, vocabulary) && !couldHold(path, vocabulary)
}
