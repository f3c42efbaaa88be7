/** Lints for lists in which the first entry that fits wins: forms of programs, names of cmdlets, deeds of statements, calls of interpreters. */

import { globFits } from "../../scoring/reading/commands/paths.ts"
import type { FileProblem } from "../Finding.ts"
import type { CommandsFileData, QueryLanguageData } from "../lexicon/commandFiles.ts"
import type { InterpreterData } from "../lexicon/interpreterFiles.ts"
import type { ProgramData } from "../lexicon/programFiles.ts"
import { wordsOf } from "../lexicon/actText.ts"

type Path = FileProblem["path"]

/** An entry of such a list. */
interface Deciding {
  readonly path: Path
  readonly text: string
  /** Why the entry or one of its words can never fit, regardless of earlier entries. */
  readonly flaw?: string | undefined
}

export interface FirstFitList {
  readonly entries: ReadonlyArray<Deciding>
  /** Whether the earlier entry fits everything that the later one fits. */
  readonly hides: (earlier: Deciding, later: Deciding) => boolean
}

/** Entries that can never win: an earlier one always fits too, or nothing fits them. */
export const checkFirstFits = (lists: ReadonlyArray<FirstFitList>): ReadonlyArray<FileProblem> =>
  lists.flatMap(({ entries, hides }) =>
    entries.flatMap((entry, i): ReadonlyArray<FileProblem> => {
      const { flaw, path, text } = entry
      if (flaw !== undefined) {
        const message = `\`${text}\` never matches: ${flaw}`
        return [{ rule: "never-matches", path, message }]
      }
      const first = entries.slice(0, i).find((earlier) => hides(earlier, entry))
      if (first === undefined) return []
      const message = `\`${text}\` never decides: \`${first.text}\` comes before it and matches whenever it does`
      return [{ rule: "shadowed", path, message }]
    })
  )

const formList = (path: Path, forms: ProgramData["forms"], flags: ProgramData["flags"]): FirstFitList => ({
  entries: forms.map(([text], i) => ({ path: [...path, i, 0], text, flaw: flawIn(text, flags) })),
  hides: (earlier, later) => alwaysFits(earlier.text, later.text)
})

/** The forms of a program, and the forms of each of its side effects. */
export const formsOfProgram = (
  path: Path,
  { also = [], flags, forms }: ProgramData
): ReadonlyArray<FirstFitList> => [
  formList([...path, "forms"], forms, flags),
  ...also.map((one, i) => formList([...path, "also", i, "forms"], one.forms ?? [], flags))
]

export const formsOfUnlisted = ({ unlisted }: CommandsFileData): ReadonlyArray<FirstFitList> => [
  formList(["unlisted"], unlisted, "word")
]

/** At each position of a text, the first deed whose words follow wins. */
export const deedsOfLanguage = ({ deeds }: QueryLanguageData): ReadonlyArray<FirstFitList> => [
  {
    entries: deeds.map(([text], i) => ({ path: ["deeds", i, 0], text })),
    hides: (earlier, later) => `${later.text} `.startsWith(`${earlier.text} `)
  }
]

/** A name without a condition matches every call of that name. */
export const callsOfInterpreter = ({ calls = [] }: InterpreterData): ReadonlyArray<FirstFitList> => {
  const names = [...new Set(calls.flatMap(([written]) => written.split(" ")))]
  return names.map((name) => {
    return {
      entries: calls.flatMap(([written, , only], i) =>
        written.split(" ").includes(name)
          ? [{ path: ["calls", i, 0], text: only === undefined ? name : `${name} ${only}` }]
          : []
      ),
      hides: (earlier, later) => earlier.text === name || earlier.text === later.text
    }
  })
}

/** In a file for several programs, names can be patterns: `remove-*`. */
export const namesOfPrograms = (programs: ReadonlyArray<ProgramData>): FirstFitList => ({
  entries: programs.flatMap(({ names }, i) =>
    names.split(" ").map((text) => ({ path: ["programs", i, "names"], text }))
  ),
  hides: (earlier, later) => globFits(earlier.text, later.text)
})

/** A form that requires and excludes the same flag, or has words after its last operand. */
const contradictionIn = (words: ReadonlyArray<string>): string | undefined => {
  const excluded = words.flatMap((word) => (word.startsWith("!") ? word.slice(1).split("|") : []))
  const asked = words.find(
    (word) => !word.startsWith("!") && word.split("|").every((name) => excluded.includes(name))
  )
  if (asked !== undefined) return asked
  return words.includes("$") && words.some((word) => /^[~@<>]/.test(word)) ? "$" : undefined
}

/** The first character of a word decides whether it is read as a flag or an operand, and flags are compared as a whole. */
const flawIn = (form: string, flags: ProgramData["flags"]): string | undefined => {
  const words = wordsOf(form)
  const contradiction = contradictionIn(words)
  if (contradiction !== undefined) return `it requires \`${contradiction}\` and excludes it`
  // Other programs can pass their calls on to this one, so a form may name a flag in Windows style.
  const isFlag = (name: string) =>
    name.startsWith("-") || (flags === "slash" ? name.startsWith("/") : /^\/\w$/.test(name))
  for (const word of words) {
    const [names = ""] = word.replace(/^!/, "").split("=")
    const alternatives = /^[~@<>$]/.test(word) ? [] : names.split("|")
    const mixed = alternatives.find((name) => isFlag(name) !== isFlag(alternatives[0] ?? ""))
    if (mixed !== undefined) return `\`${mixed}\` is in the same word as \`${alternatives[0]}\``
    const pattern = alternatives.find((name) => isFlag(name) && name.includes("*"))
    if (pattern !== undefined) return `\`${pattern}\` is not a flag`
  }
  return undefined
}

const isOperand = (word: string): boolean => !/^(?:[$!~@<>]|[-/].)/.test(word)

/** Splits `push|pull` into its alternatives and a leading marker: `~`, `@`, `@@`, `<`, `>`. A flag's values are not alternatives. */
const alternativesOf = (word: string): readonly [mark: string, names: ReadonlyArray<string>] => {
  const [, mark = "", names = ""] = /^(@@|[~@<>]?)(.*)$/.exec(word) ?? []
  return [mark, names.split("|")]
}

/** Whether a word requires no more than another: it is the same, or has more alternatives. `*` fits any operand. */
const asksNoMore = (word: string, other: string): boolean => {
  if (word === other) return true
  if (word.startsWith("!") || other.startsWith("!") || word.includes("=") || other.includes("=")) return false
  const [mark, names] = alternativesOf(word)
  const [otherMark, otherNames] = alternativesOf(other)
  return (
    mark === otherMark &&
    otherNames.every((name) => names.includes(name) || (isOperand(word) && word === "*"))
  )
}

/**
 * Whether a form fits whenever another one fits: each of its words requires no more than some word of the other. Operands are compared by
 * position. A condition on further operands depends on how many precede it, so both forms must then name the same number of operands.
 */
const alwaysFits = (form: string, other: string): boolean => {
  const [words, others] = [wordsOf(form), wordsOf(other)]
  const [operands, otherOperands] = [words.filter(isOperand), others.filter(isOperand)]
  const rest = words.filter((word) => !isOperand(word))
  const aboutRest = rest.some((word) => /^(?:\$|!?~|[@<>])/.test(word))
  return (
    operands.length <= otherOperands.length &&
    (!aboutRest || operands.length === otherOperands.length) &&
    operands.every((word, i) => asksNoMore(word, otherOperands[i] ?? "")) &&
    rest.every((word) => others.some((one) => !isOperand(one) && asksNoMore(word, one)))
  )
}
