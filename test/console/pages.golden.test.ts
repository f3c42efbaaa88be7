/** Pages as golden files: an assessment with everything that it can show, a filtered list, the overview. */

import { expect, it } from "vitest"
import { exampleList } from "../../src/api/examples/examples.ts"
import { type AssessmentsView, assessmentsPage } from "../../src/console/pages/listPages.ts"
import { overviewPage } from "../../src/console/pages/overviewPage.ts"
import { assessmentPage } from "../../src/console/pages/assessmentPage.ts"
import { storedAnswerTo, viewOf } from "../support/consoleView.ts"

const request = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  target_resource: "list 118, newsletter subscribers",
  destination: "https://p\u0430yp\u0430l.example/in\u202egpj.exe",
  records_affected: 90_000
}

/** One element per line, without names that change with the style sheet. */
const readable = (html: string): string =>
  html
    .replaceAll(/(<\/(?:li|section|div|p|details|tr|ul)>)/g, "$1\n")
    .replaceAll(/console-[0-9a-f]{16}/g, "console")

it("the page of an assessment is as agreed", async () => {
  const page = assessmentPage(viewOf(storedAnswerTo(request)))
  await expect(readable(page.html)).toMatchFileSnapshot("../golden/console/assessment.html")
})

const visitor = { mode: "test", organization: "acme", scopes: ["read", "reviews", "explain"] } as const
const nowMs = Date.UTC(2026, 10, 2, 13)

it("the page of a filtered list is as agreed", async () => {
  const [item] = exampleList.data
  const view: AssessmentsView = {
    visitor,
    nowMs,
    older: null,
    isLater: false,
    chosen: { level: "critical", agent_id: item.agent_id },
    problems: [],
    days: "In the last 30 days",
    counts: [
      {
        name: "level",
        title: "Level",
        rows: [
          { value: "low", count: 1_204 },
          { value: "critical", count: 3 }
        ]
      },
      { name: "agent_id", title: "Agent", rows: [{ value: item.agent_id, count: 40 }] },
      { name: "factor", title: "Factor", rows: [{ value: "SENSITIVE_DATA_EXPORT", count: 3 }] }
    ],
    left: [],
    assessments: [{ ...item, created_at: "2026-11-02T12:00:00.000Z" }]
  }
  const file = (name: string) => `../golden/console/${name}.html`
  await expect(readable(assessmentsPage(view).html)).toMatchFileSnapshot(file("assessments"))
  const left = [
    { name: "level", value: "critical", count: 3 },
    { name: "agent_id", value: "nobody", count: 0 }
  ]
  const empty = assessmentsPage({ ...view, assessments: [], left })
  await expect(readable(empty.html)).toMatchFileSnapshot(file("assessments-none"))
})

it("the overview is as agreed", async () => {
  const page = overviewPage({
    visitor,
    nowMs,
    days: 7,
    span: { from: "2026-10-27", to: "2026-11-02" },
    countedTo: "2026-11-02T12:59:00.000Z",
    byDay: [
      { day: "2026-10-28", level: "low", count: 420, reviewed: 2 },
      { day: "2026-10-28", level: "critical", count: 2, reviewed: 2 },
      { day: "2026-11-02", level: "high", count: 7, reviewed: 7 }
    ],
    statuses: [{ assessment_status: "incomplete", count: 2, reviewed: 2 }],
    before: [{ level: "low", count: 400, reviewed: 0 }],
    factors: [{ factor: "SENSITIVE_DATA_EXPORT", count: 9, reviewed: 9 }],
    agents: [{ agent_id: "crm-cleaner", count: 400, reviewed: 4 }],
    actions: [{ action_type: "hubspot.contacts.export", count: 9, reviewed: 9 }],
    asked: [
      {
        actionType: "mcp__crm__update_contact",
        agentId: "crm-cleaner",
        session: "0123456789abcdef",
        questions: 37,
        agreed: 36,
        newestId: "01a19c21-7201-7000-8c28-3a64c8715eae"
      }
    ],
    open: { count: 3, oldest: new Date(nowMs - 3 * 86_400_000), ages: [1, 0, 2, 0] }
  })
  await expect(readable(page.html)).toMatchFileSnapshot("../golden/console/overview.html")
})
