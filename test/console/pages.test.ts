/** The pages survive any input: no text in any field becomes markup, and none of it is hidden. */

import type { ControlType } from "../../src/domain/Opinion.ts"
import { comparePage } from "../../src/console/pages/comparePage.ts"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exampleDeliveryList, exampleEndpoint, exampleReview } from "../../src/api/examples/examples.ts"
import { assessmentPage } from "../../src/console/pages/assessmentPage.ts"
import { assessmentsPage, reviewsPage } from "../../src/console/pages/listPages.ts"
import { overviewPage, type OverviewView } from "../../src/console/pages/overviewPage.ts"
import { evidencePage } from "../../src/console/pages/evidencePage.ts"
import { suggestionPage } from "../../src/console/pages/suggestionPage.ts"
import { endpointPage, endpointsPage } from "../../src/console/pages/webhookPages.ts"
import { signInPage } from "../../src/console/pages/signInPage.ts"
import { rulesPage } from "../../src/console/pages/rulesPages.ts"
import { notice } from "../../src/console/parts/frame.ts"
import { comparisonView, ownHistoryResult } from "../../src/console/plainViews.ts"
import { ownHistoryPart } from "../../src/console/parts/ownHistory.ts"
import type { Markup } from "../../src/markup.ts"
import { emptyTally, toBacktest } from "../../src/rules/backtest/Tally.ts"
import { reviewLike, storedAnswerTo, viewOf } from "../support/consoleView.ts"

const visitor = { mode: "live", organization: "acme", scopes: ["read", "reviews", "explain"] } as const

const stored = storedAnswerTo({ action_type: "hubspot.contacts.export", environment: "production" })
const view = viewOf(stored)

/** The elements with the names of their attributes, in order. Marks around hideable characters are not structure. */
const elements = ({ html }: Markup): string =>
  html
    .replaceAll(/<span class="odd" title="U\+[0-9A-F]+">([^<]*)<\/span>/g, "$1")
    .match(/<\/?[a-z][^>]*>/gi)
    ?.map((tag) => tag.replaceAll(/="[^"]*"/g, ""))
    .join("") ?? ""

const exampleAsked = "01a19c21-7201-7000-8c28-3a64c8715eae"

const overviewOf = (text: string): OverviewView => ({
  visitor: { ...visitor, organization: text },
  nowMs: Date.UTC(2026, 10, 2, 13),
  days: 7,
  span: { from: "2026-10-27", to: "2026-11-02" },
  countedTo: "2026-11-02T12:59:00.000Z",
  byDay: [{ day: "2026-10-28", level: "critical", count: 2, reviewed: 2 }],
  statuses: [{ assessment_status: "incomplete", count: 1, reviewed: 1 }],
  before: [],
  factors: [{ factor: `F${text}`, count: 2, reviewed: 2 }],
  agents: [
    { agent_id: `a${text}`, count: 2, reviewed: 2 },
    { agent_id: null, count: 1, reviewed: 0 }
  ],
  actions: [{ action_type: `a${text}`, count: 2, reviewed: 2 }],
  asked: [
    {
      actionType: `a${text}`,
      agentId: `a${text}`,
      session: text,
      questions: 2,
      agreed: 1,
      newestId: exampleAsked
    },
    { actionType: "b", agentId: null, session: null, questions: 1, agreed: 1, newestId: exampleAsked }
  ],
  open: { count: 1, oldest: new Date(0), ages: [0, 0, 0, 1] }
})

const endpointWith = (text: string) => ({
  ...exampleEndpoint,
  url: text,
  description: text,
  events: ["ping"] as const
})

/** The pages about rules: what a visitor searched for, and what agents asked that another release answers differently. */
const rulePagesWith = (text: string): ReadonlyArray<Markup> => {
  const shown = { version: "2.4.0", digest: "a".repeat(64), rules: [] }
  const nothing = toBacktest("2.3.0", "2.4.0", emptyTally())
  const position = { level: "low", complete: true, control: "NO_ADDITIONAL_CONTROL_RECOMMENDED" } as const
  const largest = {
    line: 1,
    assessmentId: "01a19c21-7201-7000-8c28-3a64c8715eae",
    request: {},
    from: { ...position, score: 20 },
    to: { ...position, score: 10 },
    factors: []
  }
  const backtest = {
    ...nothing,
    counts: { ...nothing.counts, records: 1, lowered: 1 },
    actions: [{ actionType: text, environment: "production", records: 1, largest }]
  }
  const own = { visitor, query: "", stored: 1 }
  const releases = [shown]
  return [
    rulesPage({ visitor, releases, shown, served: "2.4.0", policies: null, q: `q${text}` }),
    ownHistoryPart({ ...own, result: ownHistoryResult({ state: "done", atMs: 0, isAll: true, backtest }) }),
    ownHistoryPart({ ...own, result: { state: "failed", reason: text } })
  ]
}

/** The pages about evidence, webhooks and the catalogue, with what agents and keys can send. */
const otherPagesWith = (text: string): ReadonlyArray<Markup> => {
  const shown = { visitor: { ...visitor, organization: text }, nowMs: 0 }
  const digest = "0".repeat(64)
  return [
    endpointsPage({ ...shown, endpoints: [endpointWith(text)], older: text }),
    endpointPage({
      ...shown,
      endpoint: endpointWith(text),
      status: null,
      deliveries: exampleDeliveryList.data.map((one) => ({ ...one, event_id: text })),
      older: text,
      isLater: true,
      queued: null,
      problem: text
    }),
    evidencePage({
      ...shown,
      head: { sequence: 2, entryDigest: digest },
      newest: [
        {
          sequence: 2,
          assessmentId: text,
          entryDigest: digest,
          createdAt: "2026-11-02T12:00:00.000Z",
          asked: { actionType: text, level: "high" }
        }
      ],
      waiting: { count: 1, oldestMs: 1 },
      before: [{ whole: true, first: 1, last: 2, problem: text, verifiedAt: new Date(0) }],
      verified: {
        from: 1,
        to: 2,
        erased: 0,
        broken: { sequence: 2, assessmentId: text, line: null, problem: text }
      },
      asked: { from: 1, to: 2 },
      verifyMax: 2
    }),
    suggestionPage({
      ...shown,
      assessmentId: text,
      actionType: text,
      policySet: text,
      calls: 1,
      areMore: false,
      suggestions: [
        {
          calls: 1,
          changed: 1,
          from: { score: 70, level: "high" },
          to: { score: 20, level: "low" },
          entry: { id: text, match: { action: text }, class: "read" }
        }
      ],
      problem: null
    })
  ]
}

const pagesWith = (text: string): ReadonlyArray<Markup> => {
  const item = { ...exampleReview, action_type: text, agent_id: text, target_resource: text }
  const list = { visitor: { ...visitor, organization: text }, nowMs: 0, older: text, isLater: true }
  const { answer } = view
  const chosen = {
    q: `q${text}`,
    agent_id: `a${text}`,
    action_type: `a${text}`,
    factor: `F${text}`,
    from: `d${text}`
  }
  const counts = ["agent_id", "action_type", "factor"].map((name) => ({
    name,
    title: name,
    rows: [{ value: `v${text}`, count: 3 }]
  }))
  const problems = [{ field: "from", message: text }]
  return [
    ...otherPagesWith(text),
    ...rulePagesWith(text),
    reviewsPage({
      ...list,
      state: "open",
      counts: { open: 3, closed: 1_204 },
      isWorstFirst: true,
      chosen,
      problems: [],
      reviews: [item],
      closed: text,
      liveAfter: 3
    }),
    reviewsPage({
      ...list,
      state: "closed",
      counts: { open: 0, closed: 0 },
      isWorstFirst: false,
      chosen,
      problems,
      reviews: [],
      closed: null,
      liveAfter: null
    }),
    assessmentsPage({
      ...list,
      chosen,
      problems: [],
      days: text,
      counts,
      left: [],
      assessments: [{ ...item, action_id: text, request_id: text, status: "completed" }]
    }),
    assessmentsPage({
      ...list,
      isLater: false,
      chosen,
      problems: [],
      days: text,
      counts: [],
      left: Object.entries(chosen).map(([name, value]) => ({ name, value, count: 3 })),
      assessments: []
    }),
    overviewPage(overviewOf(text)),
    signInPage({ next: text, link: text, problem: text }),
    notice({ title: text, text, visitor, link: { path: "/", name: text } }),
    assessmentPage({
      ...view,
      considered: null,
      answer: {
        ...answer,
        summary: text,
        normalized_action_type: text,
        risk_factors: answer.risk_factors.map((factor) => ({ ...factor, message: text })),
        recommended_control: { ...answer.recommended_control, because: [text] },
        policy_context: [{ policy: text, rule: text, effect: "annotate" }]
      },
      input: { action_type: `a${text}`, environment: text, agent_id: `a${text}`, destination: `a${text}` },
      review: reviewLike({ state: "closed", outcome: "acknowledged", note: text }),
      refused: { reason: text, outcome: text, note: `a${text}` },
      replayed: { storedDigest: text, digest: null, problem: text }
    })
  ]
}

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "<script>alert(1)</script>",
    "\"' onload=alert(1) x=",
    "</textarea><img src=x onerror=alert(1)>",
    "\u202egpj.exe\u2066\u0000\u001b[31m",
    "&lt;b&gt; &#60;",
    "-->]]><!--",
    "p\u0430ypal"
  )
)

describe("pages", () => {
  it("have the same elements and attributes whatever was sent", () => {
    const plain = pagesWith("plain").map(elements)
    fc.assert(
      fc.property(hostile, (text) => {
        expect(pagesWith(text).map(elements)).toEqual(plain)
      })
    )
  })

  it("show no character that hides or turns text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const { html } of pagesWith(text)) expect(html).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u)
      })
    )
  })

  it("mark the letters of another script in a word that looks like ours", () => {
    const page = assessmentPage({
      ...view,
      input: { ...view.input, destination: "https://p\u0430ypal.example" }
    })
    expect(page.html).toContain('p<span class="odd" title="U+0430">\u0430</span>ypal')
    expect(assessmentPage({ ...view, input: { ...view.input, destination: "café" } }).html).toContain(
      "<bdi>café</bdi>"
    )
  })

  it("leave a field that cannot be shown as it is out of the form, so that sending the form does not change it", () => {
    const { html } = assessmentPage({ ...view, input: { ...view.input, destination: "a\u202eb" } })
    expect(html).not.toContain('name="if.destination"')
    expect(html).toContain("can only be read here")
  })

  it("say what the days before counted in plain figures, and explain no count of none", () => {
    const overview = overviewOf("x")
    const withBefore = (count: number) =>
      overviewPage({ ...overview, before: [{ level: "low", count, reviewed: 0 }] }).html
    expect(withBefore(20)).toContain("20 in the 7 days before")
    expect(withBefore(20)).toContain("100 %; none in the 7 days before")
    expect(withBefore(20)).toContain("it counts at its worst")
    expect(overviewPage({ ...overview, statuses: [] }).html).not.toContain("it counts at its worst")
  })

  it("mention guesses to keep only where there are some", () => {
    const { html } = suggestionPage({
      visitor,
      assessmentId: "x",
      actionType: "x",
      policySet: "x",
      calls: 1,
      areMore: false,
      suggestions: [],
      problem: null
    })
    expect(html).toContain("No entry would change")
    expect(html).not.toContain("Keep the one that is true")
    expect(html).not.toContain("How it gets in")
  })

  it("show both controls of a change that moves only the control, and that both stay where nothing moves", () => {
    const reported = (control: ControlType) => ({ score: 46, control })
    const request = { action_type: "customers.update", environment: "production" } as const
    const pageOf = (to: ControlType) => {
      const witness = { request, from: reported("HUMAN_CONFIRMATION_RECOMMENDED"), to: reported(to) }
      const change = {
        code: "HIGH_ENTITY_COUNT",
        kind: "looser",
        file: "x",
        summary: "x",
        details: [],
        witness
      } as const
      const diff = { from: "1.0.0", to: "1.1.0", changes: [change] }
      const versions = ["1.1.0", "1.0.0"]
      return comparePage({
        visitor,
        nowMs: 0,
        versions,
        ...diff,
        comparison: comparisonView({ state: "done", diff }),
        own: null
      }).html
    }
    const weaker = pageOf("STAGED_EXECUTION_RECOMMENDED")
    expect(weaker).toContain("<code>HUMAN_CONFIRMATION_RECOMMENDED</code>")
    expect(weaker).toContain('<code class="delta fall">STAGED_EXECUTION_RECOMMENDED</code>')
    const same = pageOf("HUMAN_CONFIRMATION_RECOMMENDED")
    expect(same).toContain("The score and the control stay")
    expect(same).not.toContain("HUMAN_CONFIRMATION_RECOMMENDED")
  })

  it("count the controls of an own history, also where no score moves", () => {
    const nothing = toBacktest("1.0.0", "1.1.0", emptyTally())
    const position = { score: 46, level: "moderate", complete: true } as const
    const largest = {
      line: 1,
      assessmentId: "01a19c21-7201-7000-8c28-3a64c8715eae",
      request: {},
      from: { ...position, control: "HUMAN_CONFIRMATION_RECOMMENDED" },
      to: { ...position, control: "STAGED_EXECUTION_RECOMMENDED" },
      factors: []
    } as const
    const backtest = {
      ...nothing,
      counts: { ...nothing.counts, records: 1, unchanged: 1, weakened: 1 },
      actions: [{ actionType: "customers.update", environment: "production", records: 1, largest }]
    }
    const { html } = ownHistoryPart({
      visitor,
      query: "",
      stored: 1,
      result: ownHistoryResult({ state: "done", atMs: 0, isAll: true, backtest })
    })
    expect(html).toContain("1 gets a weaker control")
    expect(html).toContain("STAGED_EXECUTION_RECOMMENDED")
  })
})

describe("the pages of webhook endpoints", () => {
  const shown = { visitor, nowMs: 0 }
  const inChat = { ...exampleEndpoint, format: "slack" as const }

  it("say which endpoints are told as messages in a chat", () => {
    const list = (endpoint: typeof inChat | typeof exampleEndpoint) =>
      endpointsPage({ ...shown, endpoints: [endpoint], older: null }).html
    expect(list(inChat)).toContain("Slack: assessment.high")
    expect(list(exampleEndpoint)).not.toContain("Slack: ")
  })
})
