/** How a catalogue can and cannot change an opinion, tried with random entries on random calls. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Action } from "../../../src/domain/Action.ts"
import type { Opinion } from "../../../src/domain/Opinion.ts"
import type { OrganizationEntry } from "../../../src/scoring/knowledge/OrganizationCatalogue.ts"
import { entriesAbout } from "../../support/arbitrary/catalogue.ts"
import { question } from "../../support/arbitrary/question.ts"
import { type Asked, noHistory, opineKnowing, opineAsked } from "../../support/opine.ts"
import { theorem, theorems } from "../../support/theorem.ts"

interface Known {
  readonly asked: Asked
  readonly entries: ReadonlyArray<OrganizationEntry>
}

const known = question().chain(({ action, behavior, policies }) =>
  fc.record({ asked: fc.constant({ action, behavior, policies }), entries: entriesAbout(action) })
)

const scoreOf = ({ asked, entries }: Known): number => opineKnowing(asked, entries).actionRisk.score

const camelCase = (field: string): string =>
  field.replace(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase())

const stating = ({ asked, entries }: Known, fields: Readonly<Record<string, unknown>>): Known => ({
  entries,
  asked: { ...asked, action: { ...asked.action, ...(fields as Partial<Action>) } }
})

const valuesOf = (field: string): ReadonlyArray<unknown> => {
  switch (field) {
    case "data_classification":
      return ["public", "internal", "confidential", "restricted", "regulated"]
    case "reversibility":
      return ["fully_reversible", "mostly_reversible", "difficult_to_reverse", "irreversible"]
    case "privilege_change":
    case "production_impact":
      return [true, false]
    case "currency":
      return ["USD", "EUR", "JPY", "KWD"]
    case "destination":
      return []
    case "agent_id":
      return ["support-bot", "agent-7", "billing-bot"]
    default:
      return [0, 1, 7, 100, 5_000, 1_000_000, Number.MAX_SAFE_INTEGER]
  }
}

const staysWithin = (one: Known, { missingInformation }: Opinion): boolean =>
  missingInformation.every(({ couldLowerTo, couldRaiseTo, field }) =>
    valuesOf(field).every((value) => {
      const score = scoreOf(stating(one, { [camelCase(field)]: value }))
      return couldLowerTo <= score && score <= couldRaiseTo
    })
  )

const stateable = ({ assumptions }: Opinion): Readonly<Record<string, unknown>> =>
  Object.fromEntries(assumptions.map(({ assumed, field }) => [camelCase(field), assumed]))

theorems(
  known,
  (one) => ({ opinion: opineKnowing(one.asked, one.entries), without: opineAsked(one.asked) }),
  {
    // Without a snapshot the call is known in two ways, and the assumptions of one do not apply to the other.
    "T1: stating every assumption, the catalogue's too, changes no score": ({ opinion }, one) =>
      one.asked.behavior === "unavailable" ||
      scoreOf(stating(one, stateable(opinion))) === opinion.actionRisk.score,

    "T2: the score lies in its range": ({ opinion: { actionRisk } }) =>
      actionRisk.range.low <= actionRisk.score && actionRisk.score <= actionRisk.range.high,

    "T3: no statement of one field leads outside its bounds": ({ opinion }, one) =>
      one.asked.behavior === "unavailable" || staysWithin(one, opinion),

    "the order of entries has no effect": ({ opinion }, { asked, entries }) =>
      isDeepStrictEqual(opineKnowing(asked, entries.toReversed()), opinion),

    "an expired catalogue counts for nothing, and a low factor says so": (
      { without },
      { asked, entries }
    ) => {
      if (asked.behavior === "unavailable") return true
      const old = entries.map((entry) => ({ ...entry, reviewBy: "2001-01-01" }))
      const { actionRisk, assumptions, reading, riskFactors } = opineKnowing(asked, old)
      return (
        actionRisk.score === without.actionRisk.score &&
        isDeepStrictEqual(reading, without.reading) &&
        isDeepStrictEqual(assumptions, without.assumptions) &&
        riskFactors.some(({ code, severity }) => code === "CATALOGUE_ENTRY_EXPIRED" && severity === "low") ===
          entries.some(({ match }) => match.agentId === undefined || match.agentId === asked.action.agentId)
      )
    },

    "without a snapshot the entries lower nothing": ({ without }, { asked, entries }) =>
      asked.behavior !== "unavailable" ||
      opineKnowing(asked, entries).actionRisk.score >= without.actionRisk.score,

    "every assumption of the catalogue names its entry": ({ opinion }, { entries }) =>
      opinion.assumptions.every(({ entry }) => entry === undefined || entries.some(({ id }) => id === entry)),

    "a stated field is never taken milder than it was stated": ({ opinion, without }, { asked, entries }) => {
      const silent = entries.map(
        ({ id, match, reviewBy, class: _c, extent: _e, holds: _h, impact: _i, ...rest }) => ({
          id,
          match,
          reviewBy,
          ...rest
        })
      )
      const all = stating(
        { asked, entries: silent },
        { agentId: "agent-7", ...asked.action, ...stateable(without) }
      )
      return (
        opinion.complete !== without.complete ||
        all.asked.action.destination === undefined ||
        // An impossible claim gives way to what is known, and need not be reported any more.
        without.riskFactors.some(({ code }) => code === "REVERSIBILITY_CLAIM_INCONSISTENT") ||
        scoreOf(all) >= opineAsked(all.asked).actionRisk.score
      )
    }
  }
)

const destructions = [
  "delete_contact",
  "delete_customers",
  "user.delete",
  "records.purge",
  "s3:DeleteBucket",
  "kubectl.delete_namespace",
  "drop_database",
  "truncate_table",
  "mcp__db__wipe_everything",
  "revoke_all_sessions",
  "acme.erase_backups",
  "terraform_destroy",
  "disable_audit_log"
]
const commands = [
  { actionType: "bash", targetResource: "rm -rf /" },
  { actionType: "acme.run_shell", targetResource: "sudo rm -rf / --no-preserve-root" },
  { actionType: "execute_sql", targetResource: "DROP TABLE customers" },
  { actionType: "execute_sql", targetResource: "DELETE FROM customers" },
  { actionType: "acme.frobnicate", actionDescription: "rm -rf /" },
  { actionType: "shell", targetResource: "eval $(echo cm0gLXJmIC8= | base64 -d)" },
  { actionType: "shell", targetResource: "terraform destroy -auto-approve" }
]
const destruction: fc.Arbitrary<Known> = fc
  .record({
    call: fc.constantFrom(...destructions.map((actionType) => ({ actionType })), ...commands),
    agentId: fc.constantFrom("support-bot", undefined),
    targetSystem: fc.constantFrom("jira", undefined)
  })
  .map(
    ({ call, ...rest }): Action =>
      Object.fromEntries(
        Object.entries({ ...call, ...rest, environment: "production" }).filter(([, one]) => one !== undefined)
      ) as unknown as Action
  )
  .chain((action) =>
    fc.record({
      asked: fc.constant({ action, behavior: noHistory, policies: [] }),
      entries: entriesAbout(action)
    })
  )

theorem("no entry makes a known destruction milder, and none makes it low", destruction, (one) => {
  const { actionRisk } = opineKnowing(one.asked, one.entries)
  return actionRisk.level !== "low" && actionRisk.score >= opineAsked(one.asked).actionRisk.score
})
