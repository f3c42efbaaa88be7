/** The class of a path in a command (a secret, the system, build output, …) according to paths.json. Also the paths that `find` finds. */

import type { GlobsByEdge, PlacedGlob, PreparedCommands } from "./Commands.ts"

/** One word of a command, as the shell would pass it on. */
export interface CommandWord {
  readonly value: string
  /** As written, for programs that do not treat a backslash as an escape. */
  readonly raw: string
  /** Where the part begins that is known only at run time; undefined if there is none. */
  readonly dynamicFrom: number | undefined
  readonly flow: Flow
}

/** Properties of data that passes through a command. */
export interface Flow {
  /** Comes from the network. */
  readonly fetched: boolean
  /** Contains a secret. */
  readonly secret: boolean
  /** Is the output of a decoder, so its text is unknown. */
  readonly decoded: boolean
  /** Is a copy of data that people keep: a folder, a dump. */
  readonly data: boolean
  /** The text itself, if the command contains it. */
  readonly text: string | undefined
  /** Words that represent its lines: the patterns of paths that `find` lists, or a process name. */
  readonly lines?: ReadonlyArray<string> | undefined
}

export const noFlow: Flow = { fetched: false, secret: false, decoded: false, data: false, text: undefined }

export const joinFlows = (a: Flow, b: Flow): Flow => {
  // Shortcuts: most words carry no flow, and a text can have thousands of words.
  if (b === noFlow) return a
  if (a === noFlow) return b
  return {
    fetched: a.fetched || b.fetched,
    secret: a.secret || b.secret,
    decoded: a.decoded || b.decoded,
    data: a.data || b.data,
    text:
      a.text === undefined
        ? b.text
        : b.text === undefined || a.text === b.text
          ? a.text
          : `${a.text}\n${b.text}`,
    lines: a.lines === undefined ? b.lines : b.lines === undefined ? a.lines : [...a.lines, ...b.lines]
  }
}

/** A flow without its text, for merging into a flow that has its own. */
export const withoutText = (flow: Flow): Flow =>
  flow.text === undefined && flow.lines === undefined ? flow : { ...flow, text: undefined, lines: undefined }

export const plainWord = (value: string): CommandWord => ({
  value,
  raw: value,
  dynamicFrom: undefined,
  flow: noFlow
})

/** Quotes a word that contains spaces, so that it stays one word when words are joined. */
export const inOneWord = ({ value }: CommandWord): string =>
  /\s/.test(value) && !/['\\]/.test(value) ? `'${value}'` : value

/** The joined flows of words, without their texts. */
export const flowOf = (words: ReadonlyArray<CommandWord>): Flow =>
  words.reduce((flow, word) => joinFlows(flow, withoutText(word.flow)), noFlow)

const escapes = /\\(?:x([\da-f]{1,2})|0?([0-7]{3})|(n))/gi

/** `printf` and `echo -e` print `\x72\155` as `rm`. */
const unescaped = (text: string): string =>
  text.replace(escapes, (_, hex: string | undefined, octal: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return octal === undefined ? "\n" : String.fromCharCode(Number.parseInt(octal, 8))
  })

/** The output of `echo` for these words, or of `printf` with a format that changes nothing. */
export const printsText = (words: ReadonlyArray<CommandWord>): Flow => {
  const printed = words.filter(({ value }, i) => !(i === 0 && /^(?:-[neE]+|(?:%[sb]|\\n)+|--)$/.test(value)))
  const dynamic = printed.some(({ dynamicFrom }) => dynamicFrom !== undefined)
  const text = printed.map(({ value }) => value).join(" ")
  return {
    ...flowOf(words),
    text: dynamic && text.startsWith("$") ? undefined : unescaped(text)
  }
}

/** The known output of a substitution: `$(pwd)` and `$(mktemp -d)` have a known kind of output, `$(echo x)` a known text. */
export const outputOf = (text: string, flow: Flow): string | undefined => {
  const begun = text.replace(/^(?:\$\(\s*|`)/, "")
  const inner = begun.endsWith(")") ? begun.slice(0, -1).trimEnd() : begun.replace(/`$/, "")
  if (inner === "pwd" || inner.startsWith("git rev-parse --show-toplevel")) return "."
  if (/^mktemp\b/.test(inner)) return "/tmp/x"
  return flow.text?.trim() ?? flow.lines?.join(" ")
}

const bracesMax = 16

/** Expands `a{b,c}` to `ab ac`. Only one level and a few alternatives. */
export const expandBraces = (word: CommandWord): ReadonlyArray<CommandWord> => {
  const { value } = word
  const [open, close] = [value.indexOf("{"), value.indexOf("}")]
  const isOne = open >= 0 && open === value.lastIndexOf("{") && close === value.lastIndexOf("}")
  const items = isOne && open < close ? value.slice(open + 1, close).split(",") : []
  if (items.length < 2) return [word]
  if (items.length > bracesMax) return [{ ...word, dynamicFrom: open }]
  return items.map((item) => ({ ...word, value: value.slice(0, open) + item + value.slice(close + 1) }))
}

const quotes = /^(["'])([\s\S]*)\1$/
/** A shortcut: most words have no quotes, and a text can have thousands of words. */
export const withoutQuotes = (text: string): string =>
  text.startsWith('"') || text.startsWith("'") ? text.replace(quotes, "$2") : text

/**
 * Matches a glob in which `*` matches any characters. Backtracks only to the last star, so the time is at most the product of the lengths.
 */
export const globFits = (glob: string, text: string): boolean => {
  let g = 0
  let t = 0
  let star = -1
  let from = 0
  while (t < text.length)
    if (g < glob.length && glob[g] === "*") {
      star = g++
      from = t
    } else if (g < glob.length && glob[g] === text[t]) {
      g++
      t++
    } else if (star >= 0) {
      g = star + 1
      t = ++from
    } else return false
  while (g < glob.length && glob[g] === "*") g++
  return g === glob.length
}

const homes =
  /^(?:\$home|\$\{home\}|\$env:userprofile|%userprofile%|\/root|\/home\/[^/*]+|\/users\/[^/*]+|[a-z]:\/users\/[^/*]+|~[a-z]\w*)(?=\/|$)/
const temporary = /^(?:\$tmpdir|\$\{tmpdir\}|\$runner_temp|%temp%|\$env:temp|\/private\/tmp)(?=\/|$)/
const here = /^(?:\$pwd|\$\{pwd\}|\$\(pwd\)|\$github_workspace)(?=\/|$)/

/** Lower case, `/` as separator, `.` and `..` resolved, and `~` for any home folder. */
export const normalizePath = (path: string): string => {
  const slashed = path
    .toLowerCase()
    .replaceAll("\\", "/")
    .replace(homes, "~")
    .replace(temporary, "/tmp")
    .replace(here, ".")
  const segments: Array<string> = []
  for (const segment of slashed.split("/"))
    if (segment === "..") {
      const last = segments.at(-1)
      if (last === undefined || last === "..") {
        if (!slashed.startsWith("/")) segments.push("..")
      } else if (last === "~") segments.push("..")
      else segments.pop()
    } else if (segment !== "" && segment !== ".") segments.push(segment)
  const joined = segments.join("/")
  return slashed.startsWith("/") ? `/${joined}` : joined === "" ? "." : joined
}

const url = /^(?:https?|ftp|wss?):\/\//
/** `host:path`. A single letter before the colon would be a Windows drive. */
const onHost = /^(?:[\w.@-]{2,}:(?!\/\/|\\)|\\\\[\w.-]+\\)/
const scheme = /^(\w+):\/\//

/** The class of a file or URL, such as `secret` or `disposable`; `plain` if no rule matches. */
export type ClassOf = (word: CommandWord) => string

/** `secret:key` is a subclass of `secret`. */
export const isOfClass = (pathClass: string, wanted: string): boolean =>
  pathClass === wanted || pathClass.startsWith(`${wanted}:`)

/** The beginning and the end of a long path, which decide its class. Bounded, because every pattern is tried on it. */
const shorten = (path: string, lengthMax: number): string =>
  path.length <= lengthMax ? path : `${path.slice(0, lengthMax >> 1)}${path.slice(-(lengthMax >> 1))}`

const segmentsMax = 16

const edgeOf = (glob: string): string =>
  !glob.startsWith("*") ? glob.charAt(0) : glob.endsWith("*") ? "*" : `*${glob.slice(-1)}`

export const globsByEdge = (globs: ReadonlyArray<PlacedGlob>): GlobsByEdge =>
  Map.groupBy(globs, ({ glob }) => edgeOf(glob))

/** The lowest rank below `placeMax` of a glob that matches the text; `placeMax` if there is none. */
const firstFitting = (globs: GlobsByEdge, text: string, placeMax: number): number => {
  let place = placeMax
  for (const edge of [text.charAt(0), `*${text.slice(-1)}`, "*"])
    for (const { glob, order } of globs.get(edge) ?? []) {
      if (order >= place) break
      if (globFits(glob, text)) place = order
    }
  return place
}

const classOfPath = (path: string, { paths }: PreparedCommands): string | undefined => {
  const all = path.split("/")
  const segments =
    all.length <= segmentsMax ? all : [...all.slice(0, segmentsMax >> 1), ...all.slice(-(segmentsMax >> 1))]
  let place = firstFitting(paths.pathGlobs, path, paths.exact.get(path) ?? Infinity)
  for (const segment of segments) {
    const named = Math.min(place, paths.segments.get(segment) ?? Infinity)
    place = firstFitting(paths.segmentGlobs, segment, named)
  }
  return paths.classes[place]
}

const classify = (word: CommandWord, commands: PreparedCommands): string => {
  const value = word.value.trim().toLowerCase()
  if (url.test(value)) return "url"
  if (onHost.test(value) || commands.stores.has(scheme.exec(value)?.[1] ?? "")) return "remote"
  const known = word.dynamicFrom === undefined ? value : `${value.slice(0, word.dynamicFrom)}x`
  const classOfText = (text: string) =>
    classOfPath(shorten(normalizePath(text), commands.limits.pathLengthMax), commands)
  // `cat .env?` may mean `cat .env`.
  const found =
    classOfText(known) ?? (wildcards.test(known) ? classOfText(known.replace(wildcards, "")) : undefined)
  if (word.dynamicFrom === undefined) return found ?? "plain"
  return found === undefined || found === "plain" || found === "root" ? "dynamic" : found
}

const wildcards = /[?*]+|\[[^\]]*\]/g

/** Looks up at most `pathsMax` different words, so that a list of thousands of files stays cheap. Further ones are `dynamic`. */
export const makeClassOf = (commands: PreparedCommands): ClassOf => {
  const known = new Map<string, string>()
  return (word) => {
    const key = `${word.dynamicFrom ?? ""} ${word.value}`
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= commands.limits.pathsMax) return "dynamic"
    const pathClass = classify(word, commands)
    known.set(key, pathClass)
    return pathClass
  }
}

const systemPlace =
  /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/|home\/linuxbrew\/\.linuxbrew\/)?s?bin\/|[a-z]:\/windows\/|~?\/?(?:[^/]+\/)*node_modules\/\.bin\/|(?:\.?venv|env)\/bin\/)/i

/** The name of an installed program, without its folder. Undefined for a project file, which may have the same name. */
export const installedName = (name: string): string | undefined => {
  const path = name.replaceAll("\\", "/")
  return path.includes("/") && !systemPlace.test(path) ? undefined : path.slice(path.lastIndexOf("/") + 1)
}

/** The commands after `-exec` and similar flags, and the remaining words. */
const withoutRuns = (
  words: ReadonlyArray<CommandWord>
): {
  readonly others: ReadonlyArray<CommandWord>
  readonly runs: ReadonlyArray<ReadonlyArray<CommandWord>>
} => {
  const from = words.findIndex(({ value }) => /^-(?:exec|execdir|ok|okdir)$/.test(value))
  if (from === -1) return { others: words, runs: [] }
  const behind = words.slice(from + 1)
  const end = behind.findIndex(({ value }) => value === ";" || value === "+")
  const rest = withoutRuns(end === -1 ? [] : behind.slice(end + 1))
  const run = end === -1 ? behind : behind.slice(0, end)
  return { others: [...words.slice(0, from), ...rest.others], runs: [run, ...rest.runs] }
}

const findSigns = new Set(["(", ")", "!", ","])

/** The patterns that the found paths match. Skips a negated pattern, alone or in parentheses, because it only says what is not found. */
const foundNames = (
  words: ReadonlyArray<CommandWord>,
  tests: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const names: Array<string> = []
  const groups = [false]
  let isNegated = false
  for (const [at, { value }] of words.entries()) {
    const isOut = isNegated !== (groups.at(-1) ?? false)
    if (value === "(") groups.push(isOut)
    if (value === ")" && groups.length > 1) groups.pop()
    const name = tests.includes(value) && !isOut ? words[at + 1]?.value : undefined
    if (name !== undefined) names.push(name.replace(/^\*\//, ""))
    isNegated = value === "!" || value === "-not"
  }
  return names
}

/**
 * Splits the words of `find` into the commands that it runs, the patterns of what it finds, and the words for the forms. `tests`: the flags
 * that take such a pattern.
 */
export const readFindTests = (words: ReadonlyArray<CommandWord>, tests: ReadonlyArray<string> = []) => {
  const { others, runs } = withoutRuns(words)
  return {
    runs,
    names: foundNames(others, tests),
    others: others.filter(({ value }) => !findSigns.has(value))
  }
}
