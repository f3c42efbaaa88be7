/** Finds lists of words in source files: knowledge of names, programs and options belongs to `rules/lexicon`, where a reviewer reads it. */

import { parser } from "@lezer/javascript"
import type { SourceFile } from "./SourceFile.ts"

/** A longer list is knowledge. */
const wordsMax = 6

/** The number of words in one place: `src/scoring/reading/places.ts generic`. */
export type WordLists = Readonly<Record<string, number>>

type Node = ReturnType<typeof parser.parse>["topNode"]

const typescript = parser.configure({ dialect: "ts" })

const isWord = (text: string): boolean => /[a-z]{2}/i.test(text)
const wordsOf = (text: string): number => text.split(/[\s,|]+/).filter(isWord).length

/** `a|b` in a pattern is two words, wherever their group is. */
const alternativesOf = (pattern: string): number =>
  pattern.includes("|") ? pattern.split(/[|()[\]]+/).filter(isWord).length : 0

const childrenOf = (node: Node): ReadonlyArray<Node> => {
  const children: Array<Node> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const isText = ({ name }: Node): boolean => name === "String" || name === "TemplateString"

/** The words of a list, a set, a table of texts, a split text or a pattern; none for anything else. */
const wordsAt = (node: Node, textOf: (node: Node) => string): number => {
  switch (node.name) {
    case "ArrayExpression":
      return childrenOf(node).filter((item) => isText(item) && isWord(textOf(item))).length
    case "ObjectExpression":
      return childrenOf(node).filter(
        (property) => property.lastChild !== null && isText(property.lastChild) && isWord(textOf(property))
      ).length
    case "CallExpression": {
      const [called] = childrenOf(node)
      const [text] = called === undefined ? [] : childrenOf(called)
      const isSplit = called !== undefined && textOf(called).endsWith(".split")
      return isSplit && text !== undefined && isText(text) ? wordsOf(textOf(text)) : 0
    }
    case "RegExp":
      return alternativesOf(textOf(node))
    default:
      return 0
  }
}

/** The outermost name that is declared around a list: the list belongs to it. */
const declaredBy = (node: Node, textOf: (node: Node) => string): string | undefined => {
  const isDeclaration = node.name === "VariableDeclaration" || node.name === "FunctionDeclaration"
  const name = isDeclaration ? node.getChild("VariableDefinition") : null
  return name === null ? undefined : textOf(name)
}

/**
 * Names that the compiler checks are the language of the code itself. A list declares a type (`(typeof impacts)[number]`), or a type
 * other than `string` declares its members (`ReadonlySet<ObjectKind>`).
 */
const isOfCode = (name: string, text: string): boolean =>
  new RegExp(
    `\\(typeof ${name}\\)\\[number\\]|keyof typeof ${name}\\b|const ${name}: (?:Readonly<)?(?:Readonly\\w+|Record)<(?!string\\b|RegExp|Readonly)[A-Z]`
  ).test(text)

/** Each place with more words than a reader takes in at a glance, by its file and the name that it is declared with. */
export const wordListsIn = ({ lines, path }: Pick<SourceFile, "lines" | "path">): WordLists => {
  const text = lines.join("\n")
  const textOf = ({ from, to }: Node): string => text.slice(from, to)
  const found = new Map<string, number>()
  const walk = (node: Node, owner: string): void => {
    const name = owner === "" ? (declaredBy(node, textOf) ?? "") : owner
    const words = wordsAt(node, textOf)
    if (words > wordsMax && !isOfCode(name, text))
      found.set(`${path} ${name}`, (found.get(`${path} ${name}`) ?? 0) + words)
    for (const child of childrenOf(node)) walk(child, name)
  }
  walk(typescript.parse(text).topNode, "")
  return Object.fromEntries(found)
}

/** The lists that the ledger does not hold, or holds with fewer words. */
export const grownLists = (found: WordLists, ledger: WordLists): ReadonlyArray<string> =>
  Object.entries(found)
    .filter(([place, words]) => words > (ledger[place] ?? 0))
    .map(([place, words]) => `${place}: ${words} words, which belong to rules/lexicon`)

/** The lists that the ledger still holds although they are gone or shorter. */
export const shrunkLists = (found: WordLists, ledger: WordLists): ReadonlyArray<string> =>
  Object.entries(ledger)
    .filter(([place, words]) => words > (found[place] ?? 0))
    .map(([place]) => `${place}: ${found[place] ?? 0} words now, so the ledger shrinks`)
