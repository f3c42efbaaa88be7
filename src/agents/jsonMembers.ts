/** The members of a JSON object as originally written, so that numbers, keys and their order are not changed in passing. */

/** `text` must be an object that has been parsed strictly before. */
export const membersOf = (text: string): ReadonlyMap<string, string> => {
  const members = new Map<string, string>()
  let key: string | undefined
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && key === undefined) key = JSON.parse(text.slice(at, end + 1))
      at = end
    } else if (character === "{" || character === "[") depth++
    else if (character === ":" && depth === 1) start = at + 1
    else if (character === "," ? depth === 1 : (character === "}" || character === "]") && --depth === 0) {
      if (key !== undefined) members.set(key, text.slice(start, at).trim())
      key = undefined
    }
  }
  return members
}

export const objectOf = (members: ReadonlyMap<string, string>): string =>
  `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`

/** A quote ends a string if an even number of backslashes precedes it. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text[before - 1] === "\\") before--
    if ((end - before) % 2 === 0) return end
  }
}
