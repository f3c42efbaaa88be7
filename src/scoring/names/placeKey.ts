/** The key of a destination in history: equal for all spellings of one place. */

/**
 * A parameter value that looks like a place of its own: a mail address, a URL, a host with a top-level domain, an IP address, or a bank
 * account number.
 */
const place = /@|\/\/|[a-z0-9-]\.[a-z][a-z0-9-]|\d+\.\d+\.\d+\.\d+|^[a-z]{2}\d{2} ?[a-z0-9]{4}|[^ -~]/

/** How many times a text is decoded at most. */
const decodingsMax = 3

const decoded = (text: string): string => {
  let plain = text
  for (let times = 0; times < decodingsMax; times++)
    plain = plain.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    )
  return plain
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === "/") end--
  return text.slice(0, end)
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//
const mailScheme = "mailto:"
/** With these schemes, a place is the same as without a scheme. */
const webSchemes: ReadonlySet<string> = new Set(["http://", "https://"])

/** The query parameters that can name a place, with order and spelling unchanged. */
const toldPlaces = (query: string, silent: ReadonlySet<string>): string => {
  const kept = query.split(/[&;]/).filter((part) => {
    if (part === "") return false
    const at = part.indexOf("=")
    const name = decoded(part.slice(0, Math.max(0, at)))
    const value = decoded(part.slice(at + 1))
    return !silent.has(name.toLowerCase()) || place.test(value.toLowerCase())
  })
  return kept.length === 0 ? "" : `?${kept.join("&")}`
}

/** The user name is part of the place; the password is not. */
const userOf = (authority: string): string => {
  const at = authority.lastIndexOf("@")
  return at < 0 ? "" : `${authority.slice(0, at).split(":", 1)[0] ?? ""}@`
}

const usualPorts: Readonly<Record<string, string>> = { "http://": ":80", "https://": ":443" }

/** `text` is a URL without its `scheme://`. The path keeps its case, because most servers are case-sensitive. */
const urlKey = (text: string, prefix: string, silent: ReadonlySet<string>): string => {
  const [sent = "", ...fragments] = text.split("#")
  const [placed = "", ...queries] = sent.split("?")
  const isWeb = webSchemes.has(prefix)
  const pathAt = placed.search(isWeb ? /[/\\]/ : /\//)
  const authority = pathAt < 0 ? placed : placed.slice(0, pathAt)
  const path = pathAt < 0 ? "" : placed.slice(pathAt)
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase()
  const port = usualPorts[prefix]
  const named = port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host
  const where = userOf(authority) + named.replace(/:$/, "").replace(/\.$/, "")
  const fragment = fragments.join("#")
  return (
    withoutTrailingSlashes(where + (isWeb ? path.replaceAll("\\", "/") : path)) +
    toldPlaces(queries.join("?"), silent) +
    (fragment === "" ? "" : `#${fragment}`)
  )
}

/** Identifiers of mixed-case letters and digits, such as a wallet address or an account id. Their case is significant. */
const opaqueMin = 12
const run = /[A-Za-z0-9]+/g
const isOpaque = (word: string): boolean =>
  word.length >= opaqueMin &&
  /[A-Z]/.test(word) &&
  /[a-z]/.test(word) &&
  /[0-9]/.test(word) &&
  !/^0x[0-9a-f]+$/i.test(word)

/** Names in lower case. Opaque identifiers keep their case. */
const namesKey = (text: string): string =>
  text
    .replace(run, (word) => (isOpaque(word) ? word : word.toLowerCase()))
    .replace(/[^ -~]+/g, (others) => others.toLowerCase())

const divider = /[/?#@:\\%]/

/**
 * Whether NFKC would turn a character into a URL delimiter that clients do not treat as one: the host of `https://a.example／@b.example` is
 * `b.example`.
 */
const hasFalseDivider = (text: string): boolean =>
  !ascii.test(text) &&
  Array.from(text).some((sign) => !ascii.test(sign) && divider.test(sign.normalize("NFKC")))

const ascii = /^[\0-\x7f]*$/

const hostBeforePath = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?[/?#\\]/i

/**
 * The key of a destination in history (scoring.md §6): NFKC, trimmed, and in lower case where case has no meaning. For a URL, it consists
 * of the user, host, path, fragment and the query parameters that can name a place. `silent`: parameters that name no place, unless their
 * value looks like one. If it is unclear whether two spellings mean the same place, they get two keys, because taking an unknown place for
 * a known one is the worse mistake.
 */
export const placeKey = (destination: string, silent: ReadonlySet<string>): string => {
  const plain = destination.normalize("NFKC").trim()
  // The query of a mail link is kept, because it can name more recipients: `?bcc=`.
  if (plain.toLowerCase().startsWith(mailScheme)) return namesKey(plain.slice(mailScheme.length))
  const prefix = scheme.exec(plain.toLowerCase())?.[0]
  if (prefix === undefined && !hostBeforePath.test(plain)) return namesKey(plain)
  // Keeps the original characters, so that no other spelling has this key.
  if (hasFalseDivider(destination)) return namesKey(destination.trim())
  if (prefix === undefined) return urlKey(plain, "https://", silent)
  const key = urlKey(plain.slice(prefix.length), prefix, silent)
  // A URL without host and path names no place, so its key is the text itself.
  if (key === "" || /^[?#]/.test(key)) return namesKey(plain)
  return webSchemes.has(prefix) ? key : prefix + key
}
