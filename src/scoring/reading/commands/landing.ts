/** Decides where a program call takes effect: on the local machine, or on another machine or service, which may be production. */

import type { Landings, PreparedLanding } from "./Commands.ts"
import { type Arguments, beginWith, type ProgramCall } from "./matchProgram.ts"
import { type CommandWord, globFits, plainWord } from "./paths.ts"

/** The host of `https://user@host:1/x`, `user@host`, `host:path` and `host`, in lower case. */
export const hostIn = (place: string): string =>
  (/^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@?#]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(place)?.[1] ?? "").toLowerCase()

const url = /^[a-z][a-z\d+.-]*:\/\//i

/** `user@host`, or `host:path`. A single letter before the colon would be a Windows drive. */
const hostAndPath = /^[\w.-]+@[\w.-]+|^[\w.-]{2,}:(?!\\)/

/** `dev2` counts as `dev`, and `i-0dev` as a machine of it. */
const wordsOf = (place: string): ReadonlyArray<string> =>
  place
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^\d+|\d+$/g, ""))

/** The part of a word that is known before the command runs. The rest names no place. */
const knownPart = ({ dynamicFrom, value }: CommandWord): string =>
  dynamicFrom === undefined ? value : value.slice(0, dynamicFrom)

/** Whether the name of a host, context or profile shows that it is not production. */
export const isForDevelopment = (
  name: string,
  { development, developmentWords, local, own = [] }: Landings
): boolean =>
  local.has(name) ||
  own.some((glob) => globFits(glob, name)) ||
  development.some((glob) => globFits(glob, name)) ||
  wordsOf(name).some((word) => developmentWords.has(word))

/**
 * The same for a URL. Only its host counts, because anyone can call a path `test`. `http://web:8080` is a neighboring container, because
 * every public host name contains a dot.
 */
const isAddressForDevelopment = (address: string, landings: Landings): boolean => {
  const host = hostIn(address)
  if (/^https?:/i.test(address) && /^[\w-]+$/.test(host)) return true
  const ending = host.slice(host.lastIndexOf(".") + 1)
  return isForDevelopment(landings.publicEndings.has(ending) ? host.slice(0, -ending.length) : host, landings)
}

/** Whether a URL belongs to another machine that may be production. */
export const isUnconfirmedAddress = (address: string, landings: Landings): boolean =>
  hostIn(address) !== "" && !isAddressForDevelopment(address, landings)

const operandsNaming = (lands: PreparedLanding, { operands }: Arguments): ReadonlyArray<CommandWord> => {
  switch (lands.operands) {
    case "first":
      return operands.slice(0, 1)
    case "all":
      return operands
    case "addresses":
      return operands.filter(({ value }) => url.test(value) || hostAndPath.test(value))
    case undefined:
      return []
  }
}

/** The operands that name the place because of the words before them: `kubectl delete namespace dev-ana`. */
const operandsBehind = ({ behind }: PreparedLanding, given: Arguments): ReadonlyArray<CommandWord> => {
  const path = behind.find((one) => beginWith(given.operands, one))
  return path === undefined ? [] : given.operands.slice(path.length)
}

/** The places that an earlier command chose for this one, unless it names another. */
const chosenFor = ({ flags, variables }: PreparedLanding, { context, given }: ProgramCall) =>
  [...flags, ...variables].flatMap((name) =>
    given.flags.has(name) ? [] : (context.shell.chosen?.get(name) ?? [])
  )

/** `kubectl config use-context dev && …`: the following commands act there. */
export const choosePlace = ({ context: { shell }, given, program: { chooses } }: ProgramCall): void => {
  const choice = chooses.find(({ path }) => beginWith(given.operands, path))
  if (choice === undefined) return
  const { as, path, place } = choice
  const word = place === undefined ? given.operands[path.length] : plainWord(place)
  if (word !== undefined)
    shell.chosen = new Map([...(shell.chosen ?? []), ...as.map((name) => [name, word] as const)])
}

/** Whether a call acts on another machine or service and no name in it rules out production. */
export const landsUnconfirmed = (call: ProgramCall): boolean => {
  const { context, given, program, words } = call
  const { lands } = program
  // A program without arguments only shows its help.
  if (lands === undefined || words.length === 0) return false
  const { commands, environment, shell } = context
  const names = [
    ...lands.flags.flatMap((flag) => given.flags.get(flag) ?? []),
    ...lands.variables.flatMap((name) => environment?.get(name) ?? shell.environment?.get(name) ?? [])
  ]
  const addresses = operandsNaming(lands, given)
  const isThere =
    lands.always ||
    lands.calls.some((path) => beginWith(given.operands, path)) ||
    names.length > 0 ||
    addresses.length > 0 ||
    lands.switches.some((flag) => given.flags.has(flag))
  if (!isThere) return false
  const { landings } = commands
  const isKnown = (name: string): boolean =>
    url.test(name) ? isAddressForDevelopment(name, landings) : isForDevelopment(name.toLowerCase(), landings)
  const behind = operandsBehind(lands, given)
  return !(
    [...names, ...chosenFor(lands, call)].some((name) => isKnown(knownPart(name))) ||
    (behind.length > 0 && behind.every((name) => isKnown(knownPart(name)))) ||
    addresses.some((address) => isAddressForDevelopment(knownPart(address), landings))
  )
}
