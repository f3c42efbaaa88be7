/** Finds effects of `sed` and `awk` scripts other than printing: `1e ls`, `s/a/b/w out`, `print | "sh"`, `print > "out"`. One pass, no backtracking. */

/** The texts that a script passes on, to the extent that the script contains them. */
export interface ScriptDeeds {
  /** Texts that it passes to a shell. */
  readonly runs: ReadonlyArray<string>
  readonly writes: ReadonlyArray<string>
  /** It passes something to a shell that is known only at run time. */
  readonly unread: boolean
}

/** Where the part that begins at `from` ends: at the delimiter, unless a backslash precedes it. */
const endOfPart = (script: string, from: number, mark: string): number => {
  let i = from
  while (i < script.length && script[i] !== mark) i += script[i] === "\\" ? 2 : 1
  return Math.min(i, script.length)
}

const endOfLine = (script: string, from: number): number => {
  const end = script.indexOf("\n", from)
  return end === -1 ? script.length : end
}

/** Skips line addresses: `1,/x/!`. */
const skipAddresses = (script: string, from: number): number => {
  let i = from
  while (i < script.length) {
    const mark = script[i] ?? ""
    if (mark === "/") i = endOfPart(script, i + 1, "/") + 1
    else if (mark === "\\") i = endOfPart(script, i + 2, script[i + 1] ?? "") + 1
    else if (/[\s;{}\d$,~+!IM]/.test(mark)) i++
    else break
  }
  return i
}

/** Reads `s/from/to/e` or `s/from/to/w file`. Returns where it ends. */
const readSubstitution = (
  script: string,
  at: number,
  add: (deed: "run" | "write", text: string) => void
): number => {
  const mark = script[at + 1] ?? ""
  const middle = endOfPart(script, at + 2, mark)
  const end = endOfPart(script, middle + 1, mark)
  let i = end + 1
  for (; i < script.length && /[\w ]/.test(script[i] ?? ""); i++) {
    if (script[i] === "e") add("run", script.slice(middle + 1, end))
    if (script[i] !== "w") continue
    add("write", script.slice(i + 1, endOfLine(script, i)))
    return endOfLine(script, i)
  }
  return i
}

export const readSedScript = (script: string): ScriptDeeds => {
  const runs: Array<string> = []
  const writes: Array<string> = []
  let unread = false
  const add = (deed: "run" | "write", text: string) => {
    if (deed === "write") writes.push(text.trim())
    // Matched text becomes part of the command, or all of it.
    else if (text.trim() === "" || /&|\\\d/.test(text)) unread = true
    else runs.push(text.trim())
  }
  for (let i = skipAddresses(script, 0); i < script.length; i = skipAddresses(script, i)) {
    const command = script[i] ?? ""
    const line = endOfLine(script, i)
    if (command === "s") i = readSubstitution(script, i, add)
    else if (command === "y")
      i = endOfPart(script, endOfPart(script, i + 2, script[i + 1] ?? "") + 1, script[i + 1] ?? "") + 1
    else if ("wWe".includes(command)) {
      add(command === "e" ? "run" : "write", script.slice(i + 1, line))
      i = line
    } else if ("aic".includes(command)) {
      i = line
      while (script[i - 1] === "\\" && i < script.length) i = endOfLine(script, i + 1)
    } else i = "#:rRbtT".includes(command) ? line : i + 1
  }
  return { runs, writes, unread }
}

/** The next token of an awk program: a string, a word, an operator. Numbers and spaces match without a group. */
const awkPiece = /"((?:[^"\\\n]|\\[^])*)"|([A-Za-z_]\w*)|(\|\||\|&|>>|>=|[^\s\w"])|\d+|\s+|"/y

type Pending = "pipe" | "file" | "system" | undefined

/** Reads an awk program token by token. */
class AwkReader {
  readonly runs: Array<string> = []
  readonly writes: Array<string> = []
  unread = false
  #pending: Pending
  #prints = false
  #depth = 0
  /** The last string, as long as only `|` follows it. */
  #last: string | undefined

  text(text: string): void {
    if (this.#pending === "file") this.writes.push(text)
    else if (this.#pending !== undefined) this.runs.push(text)
    this.#last = text
    this.#pending = undefined
  }

  word(word: string): void {
    if (word === "getline") {
      if (this.#pending === "pipe" && this.#last !== undefined) this.runs.push(this.#last)
      else if (this.#pending === "pipe") this.unread = true
    } else if (this.#pending === "pipe" || this.#pending === "system") this.unread = true
    else if (this.#pending === "file") this.writes.push(word)
    if (word === "print" || word === "printf") {
      this.#prints = true
      this.#depth = 0
    }
    this.#pending = word === "system" ? "system" : undefined
    this.#last = undefined
  }

  mark(mark: string): void {
    if (mark === "|" || mark === "|&") {
      this.#pending = "pipe"
      return
    }
    this.#last = undefined
    if ((mark === ">" || mark === ">>") && this.#prints && this.#depth <= 0) this.#pending = "file"
    else if (mark === "(") this.#depth++
    else if (mark === ")") this.#depth--
    else if (";{}".includes(mark)) this.lineEnds()
    else if (mark !== "$") this.#pending = undefined
  }

  lineEnds(): void {
    this.#prints = false
    this.#pending = undefined
  }
}

/** Where a value would begin, a slash begins a pattern; after a value, it is a division. */
const endsValue = /[\w)\]"$]\s*$/

export const readAwkScript = (script: string): ScriptDeeds => {
  const reader = new AwkReader()
  for (let i = 0; i < script.length;) {
    const mark = script[i]
    if (mark === "#") i = endOfLine(script, i)
    else if (mark === "/" && !endsValue.test(script.slice(Math.max(0, i - 8), i)))
      i = endOfPart(script, i + 1, "/") + 1
    else {
      awkPiece.lastIndex = i
      const [piece = "", text, word, sign] = awkPiece.exec(script) ?? []
      if (text !== undefined) reader.text(text.replaceAll('\\"', '"'))
      else if (word !== undefined) reader.word(word)
      else if (sign !== undefined) reader.mark(sign)
      else if (piece.includes("\n")) reader.lineEnds()
      i += Math.max(1, piece.length)
    }
  }
  return reader
}
