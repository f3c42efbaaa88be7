/** Whether a stated destination is outside: a host of others, or a place that says so. What is known as one's own never is. */

import type { Vocabulary } from "./Vocabulary.ts"
import { splitName } from "./splitName.ts"

type Words = ReadonlyArray<string>

/** A list may name pairs of words: `another account`. */
const names = (words: Words, list: ReadonlySet<string> | undefined, { sets }: Vocabulary): boolean =>
  words.some(
    (word, at) =>
      (list?.has(word) === true || list?.has(`${word} ${words[at + 1] ?? ""}`) === true) &&
      !sets.negations.has(words[at - 1] ?? "")
  )

const mailAddress = /^[^\s@/]+@[^\s@/]+$/
const address = /^[a-z][a-z\d+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)\S*/i
const bareHost = /^((?:[a-z\d-]+\.)+[a-z]+)(?:[/:]\S*)?(?=$|[\s(,;])/i

/** `acme.zendesk.com` is the system `zendesk`. */
const isOfSystem = (labels: Words, targetSystem: string | undefined): boolean => {
  const system = targetSystem?.trim().toLowerCase() ?? ""
  return system !== "" && (labels.join(".") === system || labels.at(-2) === system)
}

/** A host that anybody can reach, and that no other customer of the same store is behind. */
const isPublic = (labels: Words, { sets }: Vocabulary): boolean =>
  labels.length > 1 &&
  sets.publicEndings?.has(labels.at(-1) ?? "") === true &&
  !labels.some((label) => sets.sharedHosts?.has(label))

export const isOutside = (
  destination: string,
  targetSystem: string | undefined,
  vocabulary: Vocabulary
): boolean => {
  const { isKnown, sets } = vocabulary
  // Who is invited to a meeting is no place where its data goes.
  if (mailAddress.test(destination)) return false
  const wordsOf = (text: string): Words => splitName(text, isKnown).words
  const named = address.exec(destination)
  const place = named ?? bareHost.exec(destination)
  const labels = place?.[1]?.toLowerCase().split(".") ?? []
  // What stands behind a host is a path there: `https://files.partner.example/internal`.
  const said = wordsOf(destination.slice(place?.[0].length ?? 0))
  if (labels.some((label) => sets.ownPlaces?.has(label)) || names(said, sets.ownPlaces, vocabulary))
    return false
  if (names(said, sets.outsidePlaces, vocabulary)) return true
  if (labels.length > 0 && isPublic(labels, vocabulary)) return !isOfSystem(labels, targetSystem)
  return named !== null && names([...wordsOf(labels.join(" ")), ...said], sets.otherParties, vocabulary)
}
