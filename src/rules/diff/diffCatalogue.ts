/** The changes between two catalogues of a policy set, each with a request that scores differently because of it. */

import type { Action } from "../../domain/Action.ts"
import { dayAfter } from "../../domain/Day.ts"
import { byCodeUnit } from "../../json/json.ts"
import {
  type OrganizationEntry,
  prepareOrganizationCatalogue
} from "../../scoring/knowledge/OrganizationCatalogue.ts"
import type { Rulebook, RulebookPair } from "../Rulebook.ts"
import { byPoints, isFall, isRise, moveText } from "../ScoreAndControl.ts"
import type { Situation } from "../cases/Situation.ts"
import { snakeCase } from "../files/vocabulary.ts"
import { type Change, changeKindOf, moveIn } from "./Diff.ts"
import { toWitness } from "../counterexample/findWitness.ts"
import { shownJson } from "./changedPaths.ts"

type Entries = ReadonlyArray<OrganizationEntry>

const entriesOf = ({ policies }: Rulebook): Entries => policies.policySet.catalogue?.entries ?? []

/** The prefix of the code of every catalogue change, before the entry's name. */
export const catalogueCode = "catalogue."

/** Kinds of acts that an entry about a prefix, a system or an agent can cover. */
const usualActs = [
  "zorble",
  "record.get",
  "record.update",
  "record.delete",
  "records.export",
  "message.send",
  "payment.create",
  "role.grant"
]

const requestsFor = ({
  match
}: OrganizationEntry): ReadonlyArray<Pick<Action, "actionType" | "metadata" | "targetResource">> => {
  const { action, place, prefix, recipientDomain, ...other } = match
  if (recipientDomain !== undefined) {
    const name = "send_email"
    return [
      { actionType: name, metadata: { tool_call: { name, arguments: { to: `someone@${recipientDomain}` } } } }
    ]
  }
  if (place !== undefined)
    return [{ actionType: "bash", targetResource: `ssh ${place.replaceAll("*", "x")} "rm -rf /srv/data"` }]
  if (action !== undefined) return [{ actionType: action }]
  return usualActs.map((name) => ({
    ...other,
    actionType: prefix === undefined ? name : `${prefix}.${name}`
  }))
}

/** Optional statements next to the name: none, or every field with its smallest value. */
const statements: ReadonlyArray<Partial<Action>> = [
  {},
  {
    entitiesAffected: 1,
    recordsAffected: 1,
    financialValue: 1,
    currency: "USD",
    dataClassification: "public",
    reversibility: "fully_reversible",
    privilegeChange: false,
    productionImpact: false
  }
]

/** The first moment after a day, in the format of a case. */
const endOf = (day: string): string => `${dayAfter(day)}T00:00:00Z`

/** Requests that an entry covers, on a day on which it counts, and after the earlier of two review dates. */
const situationsFor = (before: OrganizationEntry | undefined, after: OrganizationEntry | undefined) => {
  const entries = [before, after].filter((entry) => entry !== undefined)
  const dates = [...new Set(entries.map(({ reviewBy }) => reviewBy))].toSorted()
  const late = dates.length < 2 ? [] : dates.slice(0, 1).map(endOf)
  const instants = [undefined, ...late]
  return instants.flatMap((now) =>
    entries.flatMap((entry) =>
      requestsFor(entry).flatMap((asked) =>
        statements.flatMap((stated) =>
          (["production", "staging", "development"] as const).map((environment): Situation => ({
            request: { ...asked, environment, ...stated },
            ...(now === undefined ? {} : { history: { now, earlier: [] } })
          }))
        )
      )
    )
  )
}

/** The largest fall and the largest rise; undefined if no request shows one. The score counts before the control. */
const witnessesOf = (situations: ReadonlyArray<Situation>, books: RulebookPair) => {
  const move = moveIn(books)
  // Sorting is stable: among equal moves, the shorter request comes first.
  const byMove = situations.toSorted((a, b) => byPoints(move(a), move(b)))
  const witness = (found: Situation | undefined) => found && toWitness(found, books)
  return {
    fall: witness(byMove.find((situation) => isFall(move(situation)))),
    rise: witness(byMove.findLast((situation) => isRise(move(situation))))
  }
}

const changesOf = (before: OrganizationEntry | undefined, after: OrganizationEntry | undefined) => {
  const [old, now]: ReadonlyArray<Readonly<Record<string, unknown>>> = [{ ...before }, { ...after }]
  return Object.keys({ ...old, ...now })
    .filter((key) => key !== "id" && JSON.stringify(old?.[key]) !== JSON.stringify(now?.[key]))
    .map((key) => ({ name: snakeCase(key), from: old?.[key], to: now?.[key] }))
}

const fate = (before: OrganizationEntry | undefined, after: OrganizationEntry | undefined): string => {
  if (before === undefined) return "a new entry"
  if (after === undefined) return "the entry is gone"
  const names = changesOf(before, after).map(({ name }) => name)
  return `${names.join(", ")} changed`
}

/** The rulebook with its catalogue replaced. */
const withCatalogue = (book: Rulebook, entries: Entries): Rulebook => {
  const policySet = { ...book.policies.policySet, catalogue: prepareOrganizationCatalogue(entries) }
  return { ...book, policies: { ...book.policies, policySet } }
}

/** The change of one entry, with all other entries as they were before. */
const changeOf = (id: string, from: Rulebook, to: Rulebook): Change | undefined => {
  const [old, now] = [entriesOf(from), entriesOf(to)]
  const [before, after] = [old, now].map((entries) => entries.find((entry) => entry.id === id))
  const changes = changesOf(before, after)
  if (changes.length === 0) return undefined
  const others = old.filter((entry) => entry !== before)
  const { fall, rise } = witnessesOf(situationsFor(before, after), {
    from: withCatalogue(to, old),
    to: withCatalogue(to, after === undefined ? others : [...others, after])
  })
  const witness = fall ?? rise
  return {
    code: `${catalogueCode}${id}`,
    kind: changeKindOf(rise !== undefined, fall !== undefined),
    file: (to.policies.files.catalogue ?? from.policies.files.catalogue)?.file ?? "",
    summary: fate(before, after),
    details: [
      ...changes.map((change) => `${change.name}: ${shownJson(change.to)}, was ${shownJson(change.from)}`),
      ...(fall === undefined || rise === undefined
        ? []
        : [`it also raises: a request that ${moveText(rise)}: ${JSON.stringify(rise.request)}`])
    ],
    ...(witness === undefined ? {} : { witness })
  }
}

/** Changes to the words for reviewers (`why`, `owner`) are ignored, because no opinion uses them. Ascending by code. */
export const diffCatalogues = (from: Rulebook, to: Rulebook): ReadonlyArray<Change> =>
  [...new Set([...entriesOf(from), ...entriesOf(to)].map(({ id }) => id))]
    .toSorted(byCodeUnit)
    .flatMap((id) => changeOf(id, from, to) ?? [])
