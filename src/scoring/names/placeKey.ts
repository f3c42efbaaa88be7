/** The key of a destination in history: the same for every spelling of one place. */

/** Index of the first of `characters` at or after `from`, or the end of the text. */
const indexOfAny = (text: string, characters: string, from: number): number => {
  let at = from
  while (at < text.length && !characters.includes(text.charAt(at))) at++
  return at
}

/** Parameters that say where something goes, whatever their value looks like. */
const directing: ReadonlySet<string> = new Set(
  ["to", "cc", "bcc", "dest", "destination", "recipient", "receiver", "payee", "beneficiary"].concat(
    ["account", "acct", "iban", "email", "mail", "address", "host", "server", "endpoint", "domain"],
    ["url", "uri", "link", "href", "target", "redirect", "redirect_uri", "return", "return_to", "next"],
    ["callback", "webhook", "forward", "proxy", "via", "bucket", "channel", "phone", "wallet"]
  )
)

/** An address, a URL, a host with its top domain, a number of a bank account or of four parts: another place. */
const place = /@|\/\/|[a-z0-9-]\.[a-z][a-z0-9-]|\d+\.\d+\.\d+\.\d+|^[a-z]{2}\d{2} ?[a-z0-9]{4}|[^ -~]/

/** A text that was encoded more often than this is taken for what it spells then. */
const decodingsMax = 3

const decoded = (text: string): string => {
  let plain = text
  for (let times = 0; times < decodingsMax; times++)
    plain = plain.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    )
  return plain
}

/** The part of a query that names another place: the parameters that do, in their order. */
const directions = (query: string): string => {
  const named = decodedParts(query).filter(({ name, value }) => directing.has(name) || place.test(value))
  return named.length === 0 ? "" : `?${named.map(({ text }) => text).join("&")}`
}

/** A parameter without a name is a value. Encoded ampersands separate nothing. */
const decodedParts = (query: string) =>
  query.split(/[&;]/).map((part) => {
    const text = decoded(part).toLowerCase()
    const at = text.indexOf("=")
    return { text, name: text.slice(0, Math.max(0, at)), value: text.slice(at + 1) }
  })

/** `text` is a URL without its `scheme://`. User, fragment, the usual ports, and what of the query names no place are left out. */
const hostAndPath = (text: string): string => {
  const end = indexOfAny(text, "?#", 0)
  const pathAt = Math.min(end, indexOfAny(text, "/\\", 0))
  const authority = text.slice(text.lastIndexOf("@", pathAt - 1) + 1, pathAt)
  const path = withoutTrailingSlashes(text.slice(pathAt, end).replaceAll("\\", "/"))
  const host = authority.replace(/:(?:80|443)?$/, "").replace(/\.$/, "")
  const query = text.charAt(end) === "?" ? text.slice(end + 1, indexOfAny(text, "#", end)) : ""
  return withoutTrailingSlashes(host + path) + directions(query)
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === "/") end--
  return text.slice(0, end)
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//
const mailScheme = "mailto:"
/** Of these alone a place is the same with the scheme and without. */
const webSchemes: ReadonlySet<string> = new Set(["http://", "https://"])

/**
 * The key of a destination in history before release 2.2.0 (then `placeKey`), the same for every spelling of one place.
 * scoring.md §6: NFKC, trimmed, lower case; of a URL the host and path, with a scheme other than that of the web, and with
 * what of its query names another host or address; of a mail link the part after the scheme.
 */
export const destinationKey = (destination: string): string => {
  const plain = destination.normalize("NFKC").trim().toLowerCase()
  // The query of a mail link stays, because it can name more recipients: `?bcc=`.
  if (plain.startsWith(mailScheme)) return plain.slice(mailScheme.length)
  const prefix = scheme.exec(plain)?.[0]
  if (prefix === undefined) return plain
  const key = hostAndPath(plain.slice(prefix.length))
  // A URL without host and path names no place, so the text itself is the key.
  if (key === "" || key.startsWith("?")) return plain
  return webSchemes.has(prefix) ? key : prefix + key
}

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

/** What says who signs in is a part of the place; the secret behind it is not. */
const userOf = (authority: string): string => {
  const at = authority.lastIndexOf("@")
  return at < 0 ? "" : `${authority.slice(0, at).split(":", 1)[0] ?? ""}@`
}

const usualPorts: Readonly<Record<string, string>> = { "http://": ":80", "https://": ":443" }

/** `text` is a URL without its `scheme://`. The path keeps its case: to most servers it means something. */
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

/** Names in lower case, except what is no name. */
const namesKey = (text: string): string =>
  text
    .replace(run, (word) => (isOpaque(word) ? word : word.toLowerCase()))
    .replace(/[^ -~]+/g, (others) => others.toLowerCase())

const divider = /[/?#@:\\%]/

/** Whether NFKC makes a divider of a URL of a sign that is none to a client: of `https://a.example／@b.example` the host is `b.example`. */
const hasFalseDivider = (text: string): boolean =>
  !ascii.test(text) &&
  Array.from(text).some((sign) => !ascii.test(sign) && divider.test(sign.normalize("NFKC")))

const ascii = /^[\0-\x7f]*$/

const hostBeforePath = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?[/?#\\]/i

/**
 * The key of a destination from release 2.2.0 on. scoring.md §6: NFKC, trimmed, lower case as far as case means nothing; of a URL
 * user, host, path, fragment, and of its query what can name a place. `silent`: parameters that name none, unless their value looks like one. Where it is in doubt whether two
 * spellings mean one place, they are two: a place that is taken for a known one is worse than a known one that is not.
 */
export const placeKey = (destination: string, silent: ReadonlySet<string>): string => {
  const plain = destination.normalize("NFKC").trim()
  // The query of a mail link stays here too.
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
