/** Reads query languages other than SQL by the words with which they write or destroy, and the MongoDB shell by its methods. */

import type { ActionClass } from "../../../domain/Action.ts"
import { type Act, riskOf } from "../Act.ts"
import { addAct, addNamed, type Context } from "./Context.ts"
import type { PreparedCommands, QueryLanguage } from "./Commands.ts"
import { holdsOf, readImpact } from "./sql/rows.ts"
import { quotedTexts, spelledOut, withoutFence } from "./sql/sqlText.ts"
import type { CommandReading, FoundAct, CommandAct } from "./CommandReading.ts"

/** The tool that takes the text. Its words may reveal the language. */
export interface QueryTool {
  readonly name: ReadonlyArray<string>
  readonly system: ReadonlyArray<string>
  /** The act of the tool, ignoring the text. */
  readonly act: Act
  /** The tool takes queries or runs its input, so a text in any language counts. */
  readonly open: boolean
}

type Runs = (command: string, language: "shell" | "sql") => CommandReading | undefined

/** Marks the beginning of a text, so that rules can require a word at the beginning. */
const beginning = "^"

/** A brace counts only if it begins a map of properties, which selects things. */
const sign = /[.$@:?]?[A-Za-z_][\w-]*|\{(?=\s*["'`]?[A-Za-z_]\w*["'`]?\s*:)|[|<]/g
/** Quoted names: texts without any character typical of a language. */
const quoted = /(?:"[^"'\n\\(){};|]*"|'[^"'\n\\(){};|]*')(?!\s*:)/g

/** Decodes `\u0044ELETE`, which Cypher and SPARQL read as `DELETE`. */
const spelled = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The words and operators of a text in lower case, after the marker for its beginning. */
const signsOf = (text: string, signsMax: number): ReadonlyArray<string> => {
  const signs = [beginning]
  for (const [found] of spelled(text).replace(quoted, '""').matchAll(sign)) {
    if (signs.length === signsMax) break
    signs.push(found.toLowerCase())
  }
  return signs
}

const actsOfText = (
  signs: ReadonlyArray<string>,
  { begins, bounds, deeds, read, reads }: QueryLanguage,
  commands: PreparedCommands
): ReadonlyArray<CommandAct> => {
  const first = signs[1] ?? ""
  if (begins?.has(first) === false) return []
  const isBounded = signs.some((word) => bounds.has(word))
  const acts: Array<CommandAct> = []
  for (let at = 0; at < signs.length; at++) {
    const deed = deeds
      .get(signs[at] ?? "")
      ?.find(({ words }) => words.every((word, i) => signs[at + i] === word))
    if (deed !== undefined) acts.push(isBounded ? deed.bounded : deed.act)
  }
  if (acts.length > 0 || !reads.has(first)) return acts
  const holds = holdsOf(signs, commands)
  return [{ ...read, holds, impact: readImpact(holds, "list", commands) }]
}

interface QueryText {
  readonly text: string
  /** The JSON key of the text. */
  readonly key: string
}

/**
 * The texts in a resource: the resource itself, or the strings of its JSON. A JSON key counts if it is the first one or an operator:
 * `$out`.
 */
const textsIn = (resource: string, textsMax: number): ReadonlyArray<QueryText> => {
  const given = withoutFence(resource.trim())
  if (!/^[[{]/.test(given)) return [{ text: given, key: "" }]
  const texts: Array<QueryText> = []
  let key = ""
  for (const { isKey, spelled } of quotedTexts(given)) {
    const text = spelledOut(spelled)
    if (!isKey) texts.push({ text, key })
    else {
      key = text.toLowerCase()
      if (texts.length === 0 || key.startsWith("$")) texts.push({ text: key, key: "" })
    }
    if (texts.length === textsMax) break
  }
  // Unquoted operators show that a text is not JSON: `[{$out: "users"}]`.
  return texts.length === 0 || /[{,]\s*\$\w/.test(given) ? [...texts, { text: given, key: "" }] : texts
}

/** A single word is a query only under such a key. Under other keys it names a thing. */
const isQuery = ({ key, text }: QueryText, keys: ReadonlySet<string>): boolean =>
  key === "" || /[\s(/]|^[.$_]/.test(text) || keys.has(key)

const linesMax = 32

/** Distinguishes a query from a search: `remove user from list` has neither operators nor capitals. */
const marked = /^\s*\.|[;=(*<{|]|\b[A-Z]{4,}\s+[A-Z]{2}/

/** Lower-cases the command and subcommand, which are case-insensitive: `Config Set`. */
const inSmallLetters = (line: string): string =>
  line.trimStart().replace(/^\S+(?:\s+[A-Za-z]+(?=\s|$))?/, (words) => words.toLowerCase())

/** The acts of a text in one language. `signs`: the words and operators of the text. */
const actsIn = (
  { text }: QueryText,
  signs: ReadonlyArray<string>,
  language: QueryLanguage,
  { commands, runs }: { readonly commands: PreparedCommands; readonly runs: Runs }
): ReadonlyArray<Act> => {
  const { begins, program, statements } = language
  if (program !== undefined)
    return (
      text
        .split(/[\r\n;]+/)
        .slice(0, linesMax)
        .flatMap((line) => runs(`${program} ${inSmallLetters(line)}`, "shell")?.acts ?? [])
        // A line that is not a command of the program names a thing: `user:1`.
        .filter(({ type }) => type !== commands.acts.unknownForm.type)
    )
  if (!statements) return actsOfText(signs, language, commands)
  const [first = ""] = /^[a-z]+/i.exec(text.trim()) ?? []
  return begins?.has(first.toLowerCase()) === false ? [] : (runs(text, "sql")?.acts ?? [])
}

/**
 * Classes of tools for which a query decides the act. Any other tool performs the act in its name, even on a system with a query language.
 */
const readsOrRuns: ReadonlySet<ActionClass> = new Set<ActionClass>(["read", "execute", "unknown", "simulate"])

/** The acts of a text in a query language. Undefined if no language fits, or if the text only reads and the tool does so anyway. */
export const readQuery = (
  text: string,
  { act: own, name, open, system }: QueryTool,
  runs: Runs,
  commands: PreparedCommands
): CommandReading | undefined => {
  const { byWord, keys, shaped, statedIn } = commands.queries
  const named = (words: ReadonlyArray<string>): ReadonlyArray<QueryLanguage> =>
    words.flatMap((word) => byWord.get(word) ?? [])
  const promised = [...named(name), ...(readsOrRuns.has(own.class) ? named(system) : [])]
  if (promised.length === 0 && !open && !statedIn.test(text)) return undefined
  const acts = textsIn(text, commands.limits.sqlTokensMax)
    .filter((found) => isQuery(found, keys))
    .flatMap((found) => {
      const languages = new Set([...promised, ...named([found.key])])
      const isStated = languages.size > 0
      if (!isStated && !(open && marked.test(found.text))) return []
      const signs = signsOf(found.text, commands.limits.sqlTokensMax)
      return (
        [...(isStated ? languages : shaped)]
          .flatMap((language) => actsIn(found, signs, language, { commands, runs }))
          // If nothing states the language, a text that only reads in one language may do more in another.
          .filter(({ class: one }) => isStated || one !== "read")
      )
    })
    .toSorted((a, b) => riskOf(b) - riskOf(a))
  const [first] = acts
  const isRead = first?.class === "read" && own.class !== "execute" && own.class !== "unknown"
  if (first === undefined || isRead) return undefined
  return {
    acts: acts
      .slice(0, commands.limits.actsMax)
      .map((act) => ({ ...act, command: act.type, line: act.type, span: undefined })),
    // If nothing states the language, the text may be in another one.
    unread: promised.length === 0 || acts.some((act) => "unread" in act && act.unread === true),
    requests: [],
    commands: []
  }
}

/** Reads a text for a database client. `word`: determines the client's languages. */
export const readQueryText = (context: Context, text: string, word: string): void => {
  const { limits, queries } = context.commands
  const signs = signsOf(text, limits.sqlTokensMax)
  const acts = (queries.byWord.get(word) ?? []).flatMap((language) =>
    actsOfText(signs, language, context.commands)
  )
  if (acts.length === 0) addNamed(context, "unreadText", `${word}.query`)
  for (const act of acts) addAct(context, act.type, act)
}

const readStatement = (statement: string, commands: PreparedCommands): FoundAct | undefined => {
  const direct = statement.replace(
    /^db\.getCollection\(\s*(?:["']?([\w.$-]+)["']?\s*|["']{1,2}\s*)?\)/,
    "db.$1"
  )
  const open = direct.indexOf("(")
  if (!/^db[.[]/.test(direct) || open === -1) return undefined
  const path = direct.slice(0, open).trim().split(".")
  const name = commands.mongoMethods.get((path.at(-1) ?? "").toLowerCase())
  if (name === undefined) return unreadStatement(commands)
  const args = direct.slice(open + 1).trimStart()
  const everything = /^(?:\)|\{\s*\})/.test(args)
  const act = commands.acts[name === "mongoDeleteMany" && everything ? "mongoDeleteAll" : name]
  const holds = holdsOf(path.slice(1, -1), commands)
  const all =
    name === "mongoRead" && everything && !/\.limit\(\d{1,3}\)/.test(args) ? ("bulk" as const) : act.extent
  const impact =
    name === "mongoRead" ? (commands.sqlReadImpacts[holds]?.[all === "bulk" ? 2 : 1] ?? "low") : act.impact
  return {
    command: act.type.includes("mongo")
      ? act.type
      : `mongo.${path.length > 1 ? act.type.slice(act.type.indexOf(".") + 1) : "unknown"}`,
    act: { ...act, holds, extent: all, impact },
    line: name
  }
}

const unreadStatement = ({ acts }: PreparedCommands): FoundAct => ({
  command: "mongo.unknown",
  act: acts.sqlUnread,
  line: "sqlUnread"
})

/** Undefined if the text is not for the MongoDB shell. */
export const readMongoStatements = (
  text: string,
  commands: PreparedCommands
): ReadonlyArray<FoundAct> | undefined => {
  if (!text.includes("db.") && !text.includes("db[")) return undefined
  const statements = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^(?:use|show|\/\/)/.test(part))
  const found: Array<FoundAct> = []
  for (const statement of statements.slice(0, commands.limits.commandsMax)) {
    const read = readStatement(statement, commands)
    if (read !== undefined) found.push(read)
    else if (found.length === 0) return undefined
    else found.push(unreadStatement(commands))
  }
  return found.length === 0 ? undefined : found
}

export const readMongo = (context: Context, text: string): void => {
  const found = readMongoStatements(text, context.commands)
  if (found === undefined)
    addNamed(context, /^\s*(?:use|show)\b/.test(text) ? "nothingDone" : "evalCode", "mongo.unknown")
  else for (const { act, command, line } of found) addAct(context, command, act, line)
}
