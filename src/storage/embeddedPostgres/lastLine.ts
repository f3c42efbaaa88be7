/** The last line that a program printed: the one that says what was wrong. */

export const lastLine = (output: string): string => output.trim().split("\n").at(-1)?.trim() ?? ""
