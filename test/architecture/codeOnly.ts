/** Source text as code without its prose, and as prose without its code. */

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=(?:^|[(,=:[!&|?{};>]|return)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/gm

/** Comments, strings, templates and regular expressions are blanked out. Lines and columns stay in place. */
export const codeOnly = (text: string): string => text.replace(token, (prose) => prose.replace(/[^\n]/g, " "))

interface Prose {
  readonly offset: number
  readonly text: string
}

/** Comments and strings as they are written, with their signs. Comments of one line that follow each other are one. */
export const proseIn = (text: string): ReadonlyArray<Prose> => {
  const found: Array<{ offset: number; text: string }> = []
  for (const { 0: written, index } of text.matchAll(token)) {
    const before = found.at(-1)
    const between = before === undefined ? "" : text.slice(before.offset + before.text.length, index)
    if (before?.text.startsWith("//") === true && written.startsWith("//") && /^\n[ \t]*$/.test(between))
      before.text += between + written
    else if (!written.startsWith("/") || /^\/[/*]/.test(written)) found.push({ offset: index, text: written })
  }
  return found
}
