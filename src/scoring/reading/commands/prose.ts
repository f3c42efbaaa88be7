/** Distinguishes sentences from commands: `git is great` parses as a command, and `Select the customers from Berlin` begins like SQL. */

import type { PreparedCommands } from "./Commands.ts"
import { conditionOf } from "./sql/rows.ts"
import type { SqlWords } from "./sql/sqlWords.ts"
import { isMark, splitTokens, type SqlTokens } from "./sql/tokens.ts"

const wordLike = /^["'(]*\p{L}[\p{L}'’-]*(?:[)".,;:!?][)"'.,;:!?]*)?$/u

const punctuated = /^["'(]|[)"'.,;:!?]$/

const notBlank = /\S+/g

/** A word in lower case, without surrounding punctuation. */
const bareWord = (token: string): string => {
  const lower = token.toLowerCase()
  return punctuated.test(lower)
    ? lower.replace(/^["'(]+/, "").replace(/(?<![)"'.,;:!?])[)"'.,;:!?]+$/, "")
    : lower
}

/** Whether enough words of a text are typical of a sentence. Neither quoted text nor syntax that only commands have counts as a word. */
export const readsLikeProse = (
  text: string,
  { functionWords, limits, nameWords }: PreparedCommands,
  /** The text is for a shell and starts with a known program: `mv old new` is not a sentence. */
  isCommand = false
): boolean => {
  let functions = 0
  const others: Array<string> = []
  const tokens = text.match(notBlank) ?? []
  const words = tokens.length
  // Skips the first word, which is the program: `which node`.
  for (let i = /^\s/.test(text) ? 0 : 1; i < words; i++) {
    const token = tokens[i] ?? ""
    // `a` and `i` are articles only before a longer word: `mv a b`.
    if (token.length === 1 && (tokens[i + 1]?.length ?? 0) <= 2) continue
    const word = bareWord(token)
    if (functionWords.has(word) && !(isCommand && nameWords.has(word))) functions++
    else others.push(token)
  }
  // `man if` is no sentence.
  if (functions < limits.proseMin || (isCommand && words < 3)) return false
  const technical = others.filter((token) => !wordLike.test(token) && !/^\d+[.,%]?$/.test(token)).length
  return technical === 0 || (functions >= 2 && functions * 3 >= technical * 2 && functions * 6 >= words)
}

/** Whether a condition is SQL: two plain words may follow each other only if one of them is a keyword. Prose has no such rule. */
const conditionIsSql = (condition: SqlTokens, { clauses }: SqlWords): boolean =>
  condition.every((token, i) => {
    const next = condition[i + 1]
    if (token.kind !== "word" || next?.kind !== "word") return true
    return clauses.has(token.text) || clauses.has(next.text)
  })

/** Whether a text is spelled like SQL: all keywords in one case, or with punctuation that prose lacks. */
export const spelledLikeSql = (
  text: string,
  tokens: SqlTokens,
  { functionWords, sql }: PreparedCommands
): boolean => {
  const { clauses, shared } = sql
  const isEnglish = (at: number): boolean => {
    const token = tokens[at]
    const next = tokens[at + 1]
    if (token?.kind !== "word" || clauses.has(token.text) || shared.has(token.text)) return false
    return next?.kind === "word" && !clauses.has(next.text) && functionWords.has(token.text.toLowerCase())
  }
  if (tokens.some((_token, at) => isEnglish(at))) return false
  const statements = splitTokens(tokens, (token) => isMark(token, ";") || isMark(token, "|"))
  if (!statements.every((statement) => conditionIsSql(conditionOf(statement, sql) ?? [], sql))) return false
  const first = tokens[0]?.text ?? ""
  if (text.includes(first) || text.includes(first.toLowerCase())) return true
  const marked = tokens.some((token) => token.kind === "mark" && "=*(;,<>".includes(token.text))
  return marked || / (?:FROM|INTO|SET|TABLE|DATABASE|ON) /.test(text)
}
