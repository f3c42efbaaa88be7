/** Parses JSON by recursive descent, strictly: reports flaws that other parsers ignore, such as repeated keys. */

import type { Json } from "./json.ts"
import { jsonDepthMax } from "../limits.ts"

/**
 * A flaw that leaves the text readable. `offset` is the start of the string or number.
 * - `repeated key`: an object has the key twice. - `half pair`: a string contains half of a surrogate pair.
 * - `overflow`: a number is beyond the range of a double.
 */
export interface JsonFlaw {
  readonly kind: "repeated key" | "half pair" | "overflow"
  readonly isKey: boolean
  /** In UTF-16 code units. */
  readonly offset: number
}

/** The text is not JSON or is nested too deeply. */
export class NotJson extends Error {
  override readonly name = "NotJson"
}

interface FlawedJson {
  readonly value: Json
  readonly flaws: ReadonlyArray<JsonFlaw>
}

/** Parses a whole text and collects its flaws in reading order. Null if the text is not JSON or is nested too deeply. */
export const readFlawedJson = (text: string): FlawedJson | null => {
  const flaws: Array<JsonFlaw> = []
  try {
    return { value: new JsonReader(text, flaws).readText(), flaws }
  } catch (cause) {
    if (cause instanceof NotJson) return null
    throw cause
  }
}

/** Parses a whole text and stops at the first flaw. The problem names a position, never a value. */
export const parseStrictly = (text: string): { readonly value: Json } | { readonly problem: string } => {
  try {
    return { value: new JsonReader(text, null).readText() }
  } catch (cause) {
    if (cause instanceof NotJson) return { problem: cause.message }
    throw cause
  }
}

const quote = 0x22
const backslash = 0x5c
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t"
}
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const hex4 = /^[0-9a-fA-F]{4}$/

const flawReasons: Readonly<Record<JsonFlaw["kind"], string>> = {
  "repeated key": "an object repeats a key",
  "half pair": "a string contains half of a surrogate pair",
  overflow: "a number is too large"
}

/** Recursive descent over one text. The depth is limited, and so is the stack. */
export class JsonReader {
  private readonly text: string
  /** Null: stop at the first flaw. */
  private readonly flaws: Array<JsonFlaw> | null
  private at = 0
  holdsNul = false

  constructor(text: string, flaws: Array<JsonFlaw> | null) {
    this.text = text
    this.flaws = flaws
  }

  readText(): Json {
    const value = this.readValue(1)
    this.skipSpace()
    if (this.at < this.text.length) this.refuse("something follows the end of the JSON text")
    return value
  }

  private refuse(reason: string): never {
    throw new NotJson(`the body is not valid JSON: ${reason}, at character ${this.at + 1}`)
  }

  private addFlaw(kind: JsonFlaw["kind"], isKey: boolean, offset: number): void {
    if (this.flaws === null) this.refuse(flawReasons[kind])
    this.flaws.push({ kind, isKey, offset })
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  private readValue(depth: number): Json {
    this.skipSpace()
    switch (this.text[this.at]) {
      case "{":
        return this.readObject(depth)
      case "[":
        return this.readArray(depth)
      case '"':
        return this.readString(false)
      case "t":
        return this.readWord("true", true)
      case "f":
        return this.readWord("false", false)
      case "n":
        return this.readWord("null", null)
      case undefined:
        return this.refuse("it ends too early")
      default:
        return this.readNumber()
    }
  }

  private readWord<Word extends Json>(word: string, value: Word): Word {
    if (!this.text.startsWith(word, this.at)) this.refuse("a value was expected")
    this.at += word.length
    return value
  }

  private readNumber(): number {
    number.lastIndex = this.at
    const digits = number.exec(this.text)?.[0]
    if (digits === undefined) return this.refuse("a value was expected")
    const value = Number(digits)
    if (!Number.isFinite(value)) this.addFlaw("overflow", false, this.at)
    this.at += digits.length
    return value
  }

  private enter(depth: number): void {
    if (depth > jsonDepthMax) this.refuse(`it nests deeper than ${jsonDepthMax} levels`)
    this.at++
    this.skipSpace()
  }

  /** Consumes a comma or `close`. True for a comma, after which another member follows. */
  private more(close: string): boolean {
    this.skipSpace()
    const char = this.text[this.at]
    if (char !== "," && char !== close) this.refuse(`a comma or ${close} was expected`)
    this.at++
    return char === ","
  }

  private readArray(depth: number): Json {
    this.enter(depth)
    const items: Array<Json> = []
    if (this.text[this.at] === "]") {
      this.at++
      return items
    }
    do items.push(this.readValue(depth + 1))
    while (this.more("]"))
    return items
  }

  private readObject(depth: number): Json {
    this.enter(depth)
    const members: Record<string, Json> = {}
    if (this.text[this.at] === "}") {
      this.at++
      return members
    }
    do {
      this.skipSpace()
      if (this.text.charCodeAt(this.at) !== quote) this.refuse("a key in double quotes was expected")
      const start = this.at
      const key = this.readString(true)
      if (Object.hasOwn(members, key)) this.addFlaw("repeated key", true, start)
      this.skipSpace()
      if (this.text[this.at] !== ":") this.refuse("a colon was expected")
      this.at++
      const value = this.readValue(depth + 1)
      // Assigning to this name would set the prototype instead of adding a member.
      if (key === "__proto__") {
        Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true })
      } else members[key] = value
    } while (this.more("}"))
    return members
  }

  private readString(isKey: boolean): string {
    const start = this.at
    let read = ""
    let escaped = false
    let from = ++this.at
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code === quote) {
        const value = read + this.text.slice(from, this.at++)
        // Valid UTF-8 cannot contain a lone surrogate; only an escape can produce one.
        if (escaped && !value.isWellFormed()) this.addFlaw("half pair", isKey, start)
        return value
      }
      if (code === backslash) {
        read += this.text.slice(from, this.at) + this.readEscape()
        escaped = true
        from = this.at
      } else if (code >= 0x20) this.at++
      else this.refuse(Number.isNaN(code) ? "a string does not end" : "a string contains a control character")
    }
  }

  private readEscape(): string {
    const letter = this.text[this.at + 1] ?? ""
    const plain = escapes[letter]
    if (plain !== undefined) {
      this.at += 2
      return plain
    }
    const hex = this.text.slice(this.at + 2, this.at + 6)
    if (letter !== "u" || !hex4.test(hex)) this.refuse("a string contains an unknown escape")
    const code = Number.parseInt(hex, 16)
    if (code === 0) this.holdsNul = true
    this.at += 6
    return String.fromCharCode(code)
  }
}
