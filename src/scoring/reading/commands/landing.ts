/** Where a call of a program takes effect: on this machine, or on another machine or service, which may be production. */

import type { CommandSession } from "./CommandSession.ts"
import type { Landings, PreparedLanding, PreparedProgram } from "./Commands.ts"
import { type Arguments, readProgramArguments } from "./matchProgram.ts"
import { type CommandWord, globFits } from "./paths.ts"

/** The host of `https://user@host:1/x`, `user@host`, `host:path` and `host`, in lower case. */
export const hostIn = (place: string): string =>
  (/^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@?#]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(place)?.[1] ?? "").toLowerCase()

const url = /^[a-z][a-z\d+.-]*:\/\//i

/** `user@host`, or `host:path`. A drive of Windows has one letter. */
const hostAndPath = /^[\w.-]+@[\w.-]+|^[\w.-]{2,}:(?!\\)/

/** `dev2` is one more `dev`. */
const wordsOf = (place: string): ReadonlyArray<string> =>
  place
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))

type Place = Pick<CommandWord, "dynamicFrom" | "value">

/**
 * Whether the name of a place says that it is not production. `http://web:8080` is a container beside this one: no public name lacks a
 * dot. A part that only exists when the command runs says nothing.
 */
const isForDevelopment = (
  { dynamicFrom, value }: Place,
  { development, developmentWords, local }: Landings
): boolean => {
  const place = dynamicFrom === undefined ? value : value.slice(0, dynamicFrom)
  const host = hostIn(place)
  const isContainer = /^https?:/i.test(place) && dynamicFrom === undefined && /^[\w-]+$/.test(host)
  return (
    isContainer ||
    local.has(host) ||
    [host, place.toLowerCase()].some((name) => development.some((glob) => globFits(glob, name))) ||
    wordsOf(place).some((word) => developmentWords.has(word))
  )
}

/** Whether an address is that of another machine, and no name in it says that this is not production. */
export const isUnconfirmedAddress = (value: string, landings: Landings): boolean =>
  hostIn(value) !== "" && !isForDevelopment({ value, dynamicFrom: undefined }, landings)

const operandsNaming = (lands: PreparedLanding, { operands }: Arguments): ReadonlyArray<Place> => {
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

/** Whether a call acts on another machine or service, and no name in it says that this is not production. */
export const landsUnconfirmed = (
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  { commands, variables }: CommandSession
): boolean => {
  const { lands } = program
  // A program without a word shows its help.
  if (lands === undefined || words.length === 0) return false
  const given = readProgramArguments(program, words)
  const places = [
    ...lands.flags.flatMap((flag) => given.flags.get(flag) ?? []),
    ...lands.variables.flatMap((name) => variables.get(name) ?? []),
    ...operandsNaming(lands, given)
  ]
  const isThere = lands.always || places.length > 0 || lands.switches.some((flag) => given.flags.has(flag))
  return isThere && !places.some((place) => isForDevelopment(place, commands.landings))
}
