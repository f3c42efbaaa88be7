/** Blanks out what is no code: comments, strings, templates and regular expressions. Lines and columns stay in place. */

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=(?:^|[(,=:[!&|?{};>]|return)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/gm

export const codeOnly = (text: string): string => text.replace(token, (prose) => prose.replace(/[^\n]/g, " "))
