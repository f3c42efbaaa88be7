/** The key of a destination in history: the same for every spelling of one place. */

/** An address, a URL, a host with its top domain, a number of a bank account or of four parts: another place. */
const place = /@|\/\/|[a-z0-9-]\.[a-z][a-z0-9-]|\d+\.\d+\.\d+\.\d+|^[a-z]{2}\d{2} ?[a-z0-9]{4}|[^ -~]/

/** A text is decoded at most this often. */
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
/** Only with these schemes is a place the same as without. */
const webSchemes: ReadonlySet<string> = new Set(["http://", "https://"])

/** The parameters that can name a place, in their order and spelling. */
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

/** `text` is a URL without its `scheme://`. The path keeps its case, because most servers distinguish it. */
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

/** Letters and digits in both cases: the address of a wallet, the id of an account. There the case means something. */
const opaqueMin = 12
const run = /[A-Za-z0-9]+/g
const isOpaque = (word: string): boolean =>
  word.length >= opaqueMin &&
  /[A-Z]/.test(word) &&
  /[a-z]/.test(word) &&
  /[0-9]/.test(word) &&
  !/^0x[0-9a-f]+$/i.test(word)

/** Names in lower case; text that is no name keeps its case. */
const namesKey = (text: string): string =>
  text
    .replace(run, (word) => (isOpaque(word) ? word : word.toLowerCase()))
    .replace(/[^ -~]+/g, (others) => others.toLowerCase())

const divider = /[/?#@:\\%]/

/**
 * Whether NFKC turns a sign into a divider of a URL that is none to a client: the host of `https://a.example／@b.example` is
 * `b.example`.
 */
const hasFalseDivider = (text: string): boolean =>
  !ascii.test(text) &&
  Array.from(text).some((sign) => !ascii.test(sign) && divider.test(sign.normalize("NFKC")))

const ascii = /^[\0-\x7f]*$/

const hostBeforePath = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?[/?#\\]/i

/**
 * The key of a destination in history (scoring.md §6): NFKC, trimmed, lower case where case means nothing. The key of a URL has its
 * user, host, path and fragment, and the parts of its query that can name a place. `silent`: parameters that name no place, unless
 * their value looks like one. If it is unclear whether two spellings mean one place, they are two: to take an unknown place for a known
 * one is worse than the reverse.
 */
export const placeKey = (destination: string, silent: ReadonlySet<string>): string => {
  const plain = destination.normalize("NFKC").trim()
  // The query of a mail link stays, because it can name more recipients: `?bcc=`.
  if (plain.toLowerCase().startsWith(mailScheme)) return namesKey(plain.slice(mailScheme.length))
  const prefix = scheme.exec(plain.toLowerCase())?.[0]
  if (prefix === undefined && !hostBeforePath.test(plain)) return namesKey(plain)
  // The key of no other spelling has these signs.
  if (hasFalseDivider(destination)) return namesKey(destination.trim())
  if (prefix === undefined) return urlKey(plain, "https://", silent)
  const key = urlKey(plain.slice(prefix.length), prefix, silent)
  // A URL without host and path names no place, so the text itself is the key.
  if (key === "" || /^[?#]/.test(key)) return namesKey(plain)
  return webSchemes.has(prefix) ? key : prefix + key
}
