/** Thirty days of a fictional organization: its agents' requests, and its people's reviews. */

import { dayMs, hourMs } from "../../domain/Day.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import type { JsonObject } from "../../json/json.ts"

/** One request of an agent. */
export interface StoryCall {
  readonly atMs: number
  readonly request: JsonObject
  /** How the review that this request opens is closed; null leaves the review open. */
  readonly closing: Closing | null
}

interface Closing {
  readonly outcome: ReviewOutcome
  readonly note: string
}

/** `by`: the agent that asks, in production. */
const call = (atMs: number, by: string, request: JsonObject, closing: Closing | null): StoryCall => ({
  atMs,
  request: { environment: "production", agent_id: by, ...request },
  closing
})

const minuteMs = 60_000
const storyDays = 30

/** A Lehmer generator, whose state is its seed, so that every run tells the same story. */
const chance = (seed: number) => {
  let state = seed
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return { below: next, one: <A>(of: ReadonlyArray<A>): A => of[next(of.length)] as A }
}

type Chance = ReturnType<typeof chance>

/** How reviews of everyday work were closed. */
const everyday: ReadonlyArray<Closing> = [
  { outcome: "acknowledged", note: "Planned work, agreed with the team beforehand." },
  { outcome: "risk_accepted", note: "Checked with the depot; nothing unusual." },
  { outcome: "false_positive", note: "Runs like this all the time, as planned." },
  { outcome: "acknowledged", note: "Looked at it with the owner of the tool, fine." }
]

const known = { data_classification: "internal", reversibility: "fully_reversible", privilege_change: false }

interface Agent {
  readonly name: string
  /** Requests per working day. */
  readonly daily: number
  readonly request: (random: Chance) => JsonObject
}

const vendors = ["acme-supplies.com", "northgate-logistics.com", "bluepaper-office.com", "helio-energy.com"]

const agents: ReadonlyArray<Agent> = [
  {
    name: "support-copilot",
    daily: 13,
    request: (random) =>
      random.one<JsonObject>([
        { action_type: "zendesk.tickets.get", target_resource: `ticket ${8_000 + random.below(900)}` },
        { action_type: "zendesk.tickets.update", target_resource: `ticket ${8_000 + random.below(900)}` },
        { action_type: "hubspot.contacts.search", target_resource: "contacts" }
      ])
  },
  {
    name: "crm-cleaner",
    daily: 7,
    request: (random) => ({
      action_type: random.one(["hubspot.contacts.update", "hubspot.companies.update"]),
      target_resource: `list ${110 + random.below(9)}`,
      entities_affected: 1 + random.below(9),
      records_affected: 1 + random.below(9)
    })
  },
  {
    name: "billing-bot",
    daily: 4,
    request: (random) => ({
      action_type: "stripe.payouts.create",
      target_resource: `invoice ${40_000 + random.below(5_000)}`,
      destination: random.one(vendors),
      financial_value: 120 + random.below(260),
      currency: "USD",
      reversibility: "mostly_reversible"
    })
  },
  {
    name: "release-runner",
    daily: 6,
    request: (random) =>
      random.one<JsonObject>([
        { action_type: "github.pulls.list", target_resource: "northwind/shop" },
        { action_type: "github.issues.comment", target_resource: "northwind/shop" },
        { action_type: "kubernetes.pods.list", target_resource: "shop, cluster eu-1" }
      ])
  },
  {
    name: "depot-planner",
    daily: 1,
    // The tool is unknown, so each of its calls opens a review. A catalogue entry would end that.
    request: () => ({ action_type: "wms.slots.reshuffle", target_resource: "depot Lyon" })
  },
  {
    name: "insights-analyst",
    daily: 6,
    request: (random) =>
      random.one<JsonObject>([
        {
          action_type: "snowflake.query",
          target_resource: "orders",
          action_description: "Totals of the orders by region"
        },
        { action_type: "google.sheets.read", target_resource: "weekly numbers" }
      ])
  }
]

/** Everyday work: on working days from eight to six, and a little on weekends. */
const everydayCalls = (nowMs: number): ReadonlyArray<StoryCall> => {
  const random = chance(20_261_123)
  const firstDay = Math.floor(nowMs / dayMs) * dayMs - storyDays * dayMs
  const days = Array.from({ length: storyDays + 1 }, (_, at) => firstDay + at * dayMs)
  return days.flatMap((day) =>
    agents.flatMap(({ daily, name, request }) => {
      const isWeekend = new Date(day).getUTCDay() % 6 === 0
      return Array.from({ length: isWeekend ? Math.ceil(daily / 6) : daily }, () => {
        const atMs = day + 8 * hourMs + random.below(10 * hourMs)
        return call(atMs, name, { ...known, ...request(random) }, random.one(everyday))
      })
    })
  )
}

const daysAgo = (nowMs: number, days: number, hour: number): number =>
  Math.floor(nowMs / dayMs) * dayMs - days * dayMs + hour * hourMs

/** High-risk calls whose reviews are closed. */
const incidents = (nowMs: number): ReadonlyArray<StoryCall> => [
  call(
    daysAgo(nowMs, 23, 10.5),
    "release-runner",
    {
      action_type: "aws.iam.attach_role_policy",
      target_resource: "role ci-deployer, policy AdministratorAccess",
      privilege_change: true
    },
    {
      outcome: "risk_rejected",
      note: "The pipeline needs to write to one bucket, not to be an administrator. Made a narrower policy."
    }
  ),
  call(
    daysAgo(nowMs, 17, 14.2),
    "crm-cleaner",
    {
      action_type: "mailchimp.campaigns.send",
      target_resource: "campaign autumn, all subscribers",
      entities_affected: 41_200,
      data_classification: "confidential",
      reversibility: "irreversible"
    },
    { outcome: "risk_accepted", note: "Marketing confirmed the list and the text; sent at 15:00." }
  ),
  call(
    daysAgo(nowMs, 11, 9.7),
    "insights-analyst",
    {
      action_type: "postgres.execute",
      target_system: "orders database",
      action_description: "DELETE FROM order_events WHERE created_at < '2025-01-01'",
      records_affected: 1_900_000,
      data_classification: "internal",
      reversibility: "difficult_to_reverse"
    },
    {
      outcome: "escalated",
      note: "An analyst should not delete. Platform moved the clean-up to a job."
    }
  )
]

/** Calls whose reviews are open: an export to a stranger, and the deletion of a whole namespace. */
const waiting = (nowMs: number): ReadonlyArray<StoryCall> => [
  call(
    nowMs - 5 * hourMs - 12 * minuteMs,
    "crm-cleaner",
    {
      action_type: "hubspot.contacts.export",
      target_resource: "list 118, newsletter subscribers",
      destination: "sftp://files.partner-insights.example/inbox",
      records_affected: 12_400,
      data_classification: "confidential"
    },
    null
  ),
  call(
    nowMs - 2 * hourMs - 41 * minuteMs,
    "release-runner",
    {
      action_type: "shell.execute",
      target_system: "cluster eu-1",
      action_description: "kubectl delete namespace checkout",
      metadata: { ticket: "OPS-2231", reason: "free up quota" }
    },
    null
  )
]

/** The attack: since last night small payments to an unknown payee, then a large one to a lookalike of a vendor. */
const attack = (nowMs: number): ReadonlyArray<StoryCall> => {
  const random = chance(4_711)
  const payout = (destination: string, value: number, invoice: number) => ({
    ...known,
    action_type: "stripe.payouts.create",
    target_resource: `invoice ${invoice}`,
    destination,
    financial_value: value,
    currency: "USD",
    reversibility: "mostly_reversible"
  })
  const small = {
    outcome: "acknowledged",
    note: "Another small freight invoice, below 500. Seems to be a new carrier."
  } as const
  const slices = Array.from({ length: 14 }, (_, at) => {
    const atMs = nowMs - (15 - at) * 47 * minuteMs - random.below(20 * minuteMs) - 30 * minuteMs
    const request = payout("halden-freight.example", 380 + random.below(110), 47_101 + at)
    return call(atMs, "billing-bot", request, small)
  })
  const strike = {
    ...payout("acme-supp1ies.com", 148_600, 47_119),
    action_description: "Invoice 47119, changed bank details as by mail of today, urgent",
    reversibility: "difficult_to_reverse"
  }
  return [...slices, call(nowMs - 18 * minuteMs, "billing-bot", strike, null)]
}

/** Oldest first, all before `nowMs`. */
export const storyUntil = (nowMs: number): ReadonlyArray<StoryCall> =>
  [...everydayCalls(nowMs), ...incidents(nowMs), ...waiting(nowMs), ...attack(nowMs)]
    .filter(({ atMs }) => atMs < nowMs)
    .toSorted((a, b) => a.atMs - b.atMs)
