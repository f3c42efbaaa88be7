/** Why a text is not JSON, in one sentence and with its place. */

import { parse, type ParseError, printParseErrorCode } from "jsonc-parser"
import { nearestName } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"

const said: Readonly<Record<string, string>> = {
  ColonExpected: "a colon is missing between key and value",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a closing `}` is missing: the file ends too early",
  CloseBracketExpected: "a closing `]` is missing: the file ends too early",
  EndOfFileExpected: "something stands after the end of the document",
  InvalidCommentToken: "comments are not part of JSON: put the reason into `why`",
  UnexpectedEndOfComment: "comments are not part of JSON: put the reason into `why`",
  UnexpectedEndOfString: "a text does not end on its line",
  UnexpectedEndOfNumber: "a number is not finished",
  InvalidUnicode: "`\\u` takes four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash escapes nothing here: write it twice",
  InvalidCharacter: "a control character stands in a text: escape it",
  PropertyNameExpected: "a key in double quotes is missing",
  ValueExpected: "a value is missing"
}

type Explained = Pick<Problem, "message" | "suggestion"> & { readonly offset: number }

const lastBefore = (text: string, offset: number): number => text.slice(0, offset).trimEnd().length - 1

/** A word that is no value: a key or a text without its quotes, or another language's constant. */
const explainWord = (text: string, { length, offset }: ParseError): Explained => {
  const word = text.slice(offset, offset + length).replaceAll(/\p{C}/gu, "")
  if (word.startsWith("'")) return { offset, message: "texts stand in double quotes, not in single ones" }
  if (
    text
      .slice(offset + length)
      .trimStart()
      .startsWith(":")
  ) {
    return { offset, message: `the key \`${word}\` must stand in double quotes`, suggestion: `"${word}"` }
  }
  const constant = nearestName(word.toLowerCase(), ["true", "false", "null"])
  return constant === undefined
    ? { offset, message: `\`${word}\` is no value in JSON` }
    : {
        offset,
        message: `\`${word}\` is no value in JSON, did you mean \`${constant}\`?`,
        suggestion: constant
      }
}

const explain = (text: string, error: ParseError): Explained => {
  const { offset } = error
  const name = printParseErrorCode(error.error)
  if (text.trim() === "") return { offset: 0, message: "the file is empty" }
  if (name === "InvalidSymbol") return explainWord(text, error)
  const before = lastBefore(text, offset)
  if (/[}\]]/.test(text.charAt(offset)) && text.charAt(before) === ",") {
    return {
      offset: before,
      message: `a comma stands before the closing \`${text.charAt(offset)}\`: remove it`
    }
  }
  if (name === "CommaExpected" && /\d/.test(text.charAt(offset)) && text.charAt(before) === "0") {
    return { offset: before, message: "a number does not start with 0" }
  }
  return { offset, message: said[name] ?? "is not JSON here" }
}

/** Of a text that does not parse. */
export const explainSyntax = (text: string): Problem => {
  const errors: Array<ParseError> = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors.toSorted((a, b) => a.offset - b.offset)
  // A control character in a text is the one thing that the engine refuses and the parser may forgive.
  const explained = first === undefined ? { offset: 0, message: "is not JSON" } : explain(text, first)
  return { rule: "not-json", path: [], ...explained }
}
