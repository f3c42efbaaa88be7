/** Reads code in languages without a grammar word by word, and finds the texts in code that is not understood. */

import type { CodeWords } from "../Commands.ts"
import { type ClassOf, globFits, plainWord } from "../paths.ts"
import type { PreparedInterpreter } from "./Interpreters.ts"

/** One token of code. The alternatives are unambiguous, so there is no backtracking. */
const piece =
  /(?<space>\s+|#[^\n]*)|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>(?:[^'\\]|\\[^])*)'|(?<variable>[$@%]\w+|[$@][^\w\s({[`])|(?<word>[A-Za-z_]\w*[?!]?)|\d[\w.]*|(?<pattern>\/(?:[^/\\\n]|\\.)*\/(?:[a-z]*))|(?<mark>[^`\\])/y

/** `s/a/b/g`, but not with the flag that runs the replacement. */
const substitution = /(?:s|tr|y)\/((?:[^/\\\n]|\\.)*)\/((?:[^/\\\n]|\\.)*)\/([a-z]*)/y

/** Code or a command inside a string or a pattern. */
const holdsCode = /#\{|[@$]\{|\{\$|`|\(\?\??\{|\$[A-Z]{2}/

/** A call of a value other than a name: `$f(x)`, `"system"(x)`. */
const callsValue = /(?:[$@%]\w+|[\])}"'])\s*(?:->\s*)?\(/

/** After one of these, a slash begins a pattern; after anything else, it is a division. */
const beforePattern = /(?:^|[(,;=~!&|{]|\b(?:if|unless|and|or|not|split|grep))\s*$/

const assigned = /\b([a-z_]\w*)\s*=(?![=~>])|\|\s*([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s*\|/g

const ownNames = (code: string): ReadonlySet<string> =>
  new Set(
    [...code.matchAll(assigned)].flatMap(([, name = "", names = ""]) => [name, ...names.split(/\s*,\s*/)])
  )

/** Whether a variable is followed by arguments, which calls the function of that name. */
const isCalled = (code: string, from: number): boolean => /^\s*["'(\w]/.test(code.slice(from, from + 2))

/**
 * Whether code has no outside effect: each word is known to have none, or is a variable of the code. A string that names a place, runs a
 * command or contains code counts as an effect.
 */
export const isPlainCode = (code: string, language: PreparedInterpreter, classOf: ClassOf): boolean => {
  if (callsValue.test(code)) return false
  const { harmless, loads, modules } = language
  const own = ownNames(code)
  let loaded = false
  for (let at = 0; at < code.length;) {
    substitution.lastIndex = at
    const isStart = beforePattern.test(code.slice(Math.max(0, at - 8), at))
    const [replaced, from = "", to = "", flags = ""] = (isStart ? substitution.exec(code) : null) ?? []
    if (replaced !== undefined) {
      if (/[er]/.test(flags) || holdsCode.test(from) || holdsCode.test(to)) return false
      at += replaced.length
      continue
    }
    piece.lastIndex = at
    const found = piece.exec(code)
    if (found === null) return false
    const { double, mark, pattern, single, variable, word } = found.groups ?? {}
    at += found[0].length
    const text = single ?? double
    if (text !== undefined) {
      const isHarmless = loaded ? modules.has(text) : classOf(plainWord(text)) === "plain"
      if (!isHarmless || (double !== undefined && holdsCode.test(text))) return false
    } else if (word !== undefined) {
      const isKey = code[at] === ":" && code[at + 1] !== ":"
      const isOwn = own.has(word) && !isCalled(code, at)
      if (!harmless.exact.has(word) && !isKey && !isOwn && !loads.has(word)) return false
    } else if (variable !== undefined) {
      if (/^.[A-Z]{2}/.test(variable)) return false
    } else if (pattern !== undefined && (!isStart || holdsCode.test(pattern))) return false
    if (found.groups?.["space"] === undefined && mark !== "(") loaded = word !== undefined && loads.has(word)
  }
  return true
}

/** The quoted strings in code. Stops at a string without a closing quote, so one pass suffices. */
const quotedTexts = (code: string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (let from = code.search(/["'`]/); from >= 0 && from < code.length;) {
    const to = code.indexOf(code[from] ?? "", from + 1)
    if (to === -1) break
    texts.push(code.slice(from + 1, to))
    const next = code.slice(to + 1, code.length).search(/["'`]/)
    from = next === -1 ? code.length : to + 1 + next
  }
  return texts
}

/** The strings that code may pass to a shell, if the code contains them: `os.system("x y")`, `["x", "y"]`. */
export const shellTexts = (code: string, { removes, runs }: CodeWords): ReadonlyArray<string> => {
  const words = new Set(code.match(/[A-Za-z_]\w*/g) ?? [])
  const has = (globs: ReadonlyArray<string>) =>
    globs.some((glob) => [...words].some((word) => globFits(glob, word)))
  const isRemoved = has(removes)
  if (!isRemoved && !has(runs)) return []
  const texts = quotedTexts(code)
  return [
    ...texts.filter((text) => text.includes(" ")),
    texts.join(" "),
    ...(isRemoved ? texts.map((path) => `rm -rf '${path}'`) : [])
  ]
}
