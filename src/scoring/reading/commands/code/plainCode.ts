/** Code of languages without a grammar here, read word by word; and the texts in code that is not understood. */

import type { CodeWords } from "../Commands.ts"
import { type ClassOf, globFits, plainWord } from "../paths.ts"
import type { PreparedInterpreter } from "./Interpreters.ts"

/** One piece of code. In each alternative a character can be read in one way only. */
const piece =
  /(?<space>\s+|#[^\n]*)|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>(?:[^'\\]|\\[^])*)'|(?<variable>[$@%]\w+|[$@][^\w\s({[`])|(?<word>[A-Za-z_]\w*[?!]?)|\d[\w.]*|(?<pattern>\/(?:[^/\\\n]|\\.)*\/(?:[a-z]*))|(?<mark>[^`\\])/y

/** `s/a/b/g`, without the flag that runs the replacement. */
const substitution = /(?:s|tr|y)\/((?:[^/\\\n]|\\.)*)\/((?:[^/\\\n]|\\.)*)\/([a-z]*)/y

/** Code or a command in a text or a pattern. */
const holdsCode = /#\{|[@$]\{|\{\$|`|\(\?\??\{|\$[A-Z]{2}/

/** A call of a value that is no name: `$f(x)`, `"system"(x)`. */
const callsValue = /(?:[$@%]\w+|[\])}"'])\s*(?:->\s*)?\(/

/** A pattern begins after one of these; a division follows anything else. */
const beforePattern = /(?:^|[(,;=~!&|{]|\b(?:if|unless|and|or|not|split|grep))\s*$/

const assigned = /\b([a-z_]\w*)\s*=(?![=~>])|\|\s*([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s*\|/g

const ownNames = (code: string): ReadonlySet<string> =>
  new Set(
    [...code.matchAll(assigned)].flatMap(([, name = "", names = ""]) => [name, ...names.split(/\s*,\s*/)])
  )

/** A variable that is called is a function of that name. */
const isCalled = (code: string, from: number): boolean => /^\s*["'(\w]/.test(code.slice(from, from + 2))

/**
 * Whether code has no effect outside: each of its words is known to have none, or is a variable of its own. A text that names a place,
 * runs a command or holds code has an effect.
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

/** The quoted texts in code. One pass: a text without its closing quote ends the search. */
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

/** The texts that code may hand to a shell, as far as the code contains them: `os.system("x y")`, `["x", "y"]`. */
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
