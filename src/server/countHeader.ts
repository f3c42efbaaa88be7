/** How often a request carries a header: Node joins or drops what is repeated, so its raw headers are counted. */

/** `rawHeaders` alternates names and values, as Node received them; `name` is in lower case. */
export const countHeader = (rawHeaders: ReadonlyArray<string>, name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const shown = rawHeaders[i] ?? ""
    if (shown.length === name.length && shown.toLowerCase() === name) count++
  }
  return count
}
