/** The key by which history knows a destination: the same place however it is spelled. */

/** Index of the first of `characters` at or after `from`, or the end. */
const indexOfAny = (text: string, characters: string, from: number): number => {
  let at = from
  while (at < text.length && !characters.includes(text.charAt(at))) at++
  return at
}

/** Host, port unless it is the usual one, and path of what follows `scheme://`; without user, query and fragment. */
const hostAndPath = (text: string): string => {
  const end = indexOfAny(text, "?#", 0)
  const pathAt = Math.min(end, indexOfAny(text, "/\\", 0))
  const authority = text.slice(text.lastIndexOf("@", pathAt - 1) + 1, pathAt)
  const path = text.slice(pathAt, end).replaceAll("\\", "/")
  const host = authority.replace(/:(?:80|443)?$/, "").replace(/\.$/, "")
  return host + path
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === "/") end--
  return text.slice(0, end)
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//
const mailScheme = "mailto:"

/** scoring.md §6: NFKC, trimmed, lower-cased; of a URL the host and path, of a mail link what follows the scheme. */
export const destinationKey = (destination: string): string => {
  const plain = destination.normalize("NFKC").trim().toLowerCase()
  // A query of a mail link is kept, since it can name more recipients: `?bcc=`.
  if (plain.startsWith(mailScheme)) return plain.slice(mailScheme.length)
  const prefix = scheme.exec(plain)?.[0]
  if (prefix === undefined) return plain
  // A URL without host and path names no place; then the text itself is the key.
  return withoutTrailingSlashes(hostAndPath(plain.slice(prefix.length))) || plain
}
