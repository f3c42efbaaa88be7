/** Finds the code in the arguments of a call and returns it as texts for the command readers. */

import type { Json } from "../../../json/json.ts"
import { type CommandTools, fileCommand, type FileTool, shellWord } from "../commands/commandTools.ts"
import { isOfClass } from "../commands/paths.ts"
import type { CodeLanguage, PreparedParameters } from "./Parameters.ts"
import type { RoledLeaf } from "./roles.ts"
import { fitsValue, memberOf, type ValueKnowledge } from "./valueClasses.ts"
import type { Leaf } from "./walkArguments.ts"

export interface CodeText {
  readonly path: string
  readonly text: string
}

const scriptOf = {
  javascript: (text: string) => `node -e '${text.replaceAll("'", "'\\''")}'`,
  python: (text: string) => `python3 -c '${text.replaceAll("'", "'\\''")}'`
}
const looksLikeJavascript = /=>|\bfunction\b\s*\w*\(|\bdocument\.|\bawait\s|\brequire\(|\bconst\s+\w+\s*=/
const looksLikePython = /^\s*(?:import\s+\w|from\s+[\w.]+\s+import\s|def\s+\w+\(|print\()/m

const inLanguage = (text: string, language: CodeLanguage): string => {
  if (language === "javascript" || (language === "any" && looksLikeJavascript.test(text)))
    return scriptOf.javascript(text)
  if (language === "python" || (language === "any" && looksLikePython.test(text)))
    return scriptOf.python(text)
  return text
}

/** Joins the words of a command given as a list into one command line. The words of an `args` list in the same object follow them. */
const commandLine = (leaf: Leaf, containers: ReadonlyArray<RoledLeaf>): string => {
  const { value } = leaf
  const words = Array.isArray(value)
    ? (value as ReadonlyArray<Json>).map((word) => shellWord(String(word)))
    : [String(value)]
  const rest = containers.find(
    ({ key, siblings, value: list }) =>
      key === "args" && siblings === leaf.siblings && Array.isArray(list) && list !== value
  )
  const further =
    rest === undefined ? [] : (rest.value as ReadonlyArray<Json>).map((word) => shellWord(String(word)))
  return [...words, ...further].join(" ")
}

export const isPlainText = (json: Json): boolean =>
  Array.isArray(json) && json.every((word) => typeof word === "string")

/** Code of this class only looks at a page, so the rules for values handle it. */
const glance = [{ kind: "class", name: "glance" }] as const

const isPatch = /^(?:\*\*\* Begin Patch|diff --git |--- \S.*\n\+\+\+ )/m
const heredoc = (command: string, text: string): string => `${command} <<'END OF TEXT'\n${text}\nEND OF TEXT`

/**
 * The commands equivalent to what a tool writes: a patch, or the new lines of a file that runs automatically, that agents obey, or that
 * holds secrets. `appends`: the tool keeps the existing content.
 */
export const writesIn = (
  values: ReadonlyArray<RoledLeaf>,
  { appends, obeyed }: { readonly appends: boolean; readonly obeyed: ReadonlySet<string> },
  { pathClass }: ValueKnowledge,
  { limits }: PreparedParameters
): ReadonlyArray<CodeText> => {
  const texts = values.flatMap(({ key, path, value }) =>
    typeof value === "string" ? [{ key, path, value }] : []
  )
  const patches = texts.filter(({ value }) => isPatch.test(value))
  if (patches.length > 0)
    return patches.map(({ path, value }) => ({
      path,
      text: heredoc("apply_patch", value.slice(0, limits.codeMax))
    }))
  const isSecret = (path: string) => isOfClass(pathClass(path), "secret")
  const file = texts.find(
    ({ value }) => /^[^\n]{1,200}$/.test(value) && (obeyed.has(pathClass(value)) || isSecret(value))
  )
  if (file === undefined) return []
  const to = `${isSecret(file.value) && !appends ? ">" : ">>"} ${shellWord(file.value)}`
  const added = texts.filter(
    ({ key, value }) => value !== file.value && !key.startsWith("old") && value.trim() !== ""
  )
  if (added.length === 0) return [{ path: file.path, text: `: ${to}` }]
  return added
    .slice(0, limits.codesMax)
    .map(({ path, value }) => ({ path, text: heredoc(`cat ${to}`, value.slice(0, limits.codeMax)) }))
}

/** The rank of a parameter among the keys that hold paths; -1 for any other parameter. */
const placeOf = ({ suffixes }: RoledLeaf, keys: ReadonlyArray<string>): number =>
  suffixes.reduce((place, suffix) => Math.max(place, keys.indexOf(suffix)), -1)

/** The command line equivalent to a file tool's call, and the parameters that are its paths. */
export const fileCommandIn = (
  tool: FileTool,
  values: ReadonlyArray<RoledLeaf>,
  { files: { keys } }: CommandTools
): { readonly code: CodeText; readonly paths: ReadonlySet<RoledLeaf> } | undefined => {
  const paths = values
    .filter((leaf) => typeof leaf.value === "string" && placeOf(leaf, keys) >= 0)
    .toSorted((a, b) => placeOf(a, keys) - placeOf(b, keys))
  const [first] = paths
  const text = fileCommand(
    tool,
    paths.map(({ value }) => String(value))
  )
  return first === undefined || text === undefined
    ? undefined
    : { code: { path: first.path, text }, paths: new Set(paths) }
}

export const codesIn = (
  {
    containers,
    values
  }: { readonly containers: ReadonlyArray<RoledLeaf>; readonly values: ReadonlyArray<RoledLeaf> },
  knowledge: ValueKnowledge,
  { limits, languages }: PreparedParameters
): { readonly codes: ReadonlyArray<CodeText>; readonly unread: ReadonlyArray<string> } => {
  const codes: Array<CodeText> = []
  const unread: Array<string> = []
  const lists = containers.filter(({ role, value }) => role === "code" && isPlainText(value))
  const inLists = new Set(lists.map(({ value }) => value))
  const found = [
    ...lists,
    ...values.filter(
      ({ isElement, role, value }) => role === "code" && typeof value === "string" && !isElement
    )
  ]
  for (const leaf of found) {
    const language =
      leaf.suffixes.map((suffix) => languages.get(suffix)).find((one) => one !== undefined) ?? "any"
    if (fitsValue(leaf, glance, [], knowledge)) continue
    // `args` next to a `command` were already joined to it.
    if (
      leaf.key === "args" &&
      memberOf(leaf, (key) => languages.get(key) === "shell" && key !== "args") !== undefined
    )
      continue
    if (codes.length >= limits.codesMax) {
      unread.push(leaf.path)
      break
    }
    const text =
      language === "shell" || inLists.has(leaf.value) ? commandLine(leaf, containers) : String(leaf.value)
    if (text.trim() === "") continue
    if (text.length > limits.codeMax) unread.push(leaf.path)
    codes.push({ path: leaf.path, text: inLanguage(text.slice(0, limits.codeMax), language) })
  }
  return { codes, unread }
}
