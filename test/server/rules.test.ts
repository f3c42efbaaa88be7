/** The rules of the installation and comparisons of releases over HTTP: what is told, to whom, and that the worked examples are true. */

import { describe, expect, it } from "vitest"
import {
  exampleRule,
  exampleRuleComparison,
  exampleRuleComparisonRequest,
  exampleRuleList
} from "../../src/api/examples/explanationExamples.ts"
import type { RuleComparison, RuleDetails, RuleList } from "../../src/api/Rules.ts"
import { comparisonsWaitingMax } from "../../src/limits.ts"
import { keys, testServer } from "../support/TestServer.ts"
import { runServer } from "../support/runServer.ts"
import { oldestVersion } from "../support/newestRelease.ts"

const { url } = runServer(testServer())

const ask = async (path: string, body?: object, key = keys.test) => {
  const answer = await fetch(`${url()}/api/v1/rules${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another program: each test says what it expects
  const { error, ...json } = (await answer.json()) as any
  return { status: answer.status, json: { ...json, request_id: exampleRule.request_id }, error }
}

/** Releases are opened in a thread of its own; until then the service says that it is not ready. */
const read = async <Body>(path: string): Promise<Body> => {
  for (;;) {
    const { error, json, status } = await ask(path)
    if (status === 200) return json
    expect([status, error.code]).toEqual([503, "ASSESSMENT_UNAVAILABLE"])
  }
}

/** Asked again until the thread is done. */
const compared = async (): Promise<RuleComparison> => {
  for (;;) {
    const { json } = await ask(`/comparisons/${exampleRuleComparison.comparison_id}`)
    if (json.state !== "running") return json
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const isAnotherPair = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  from !== to && `${from}...${to}` !== exampleRuleComparison.comparison_id

describe("the rules over HTTP", { timeout: 120_000 }, () => {
  it("are listed with the installed releases, as in the worked example", async () => {
    const { policies, rules, ...rest } = await read<RuleList>("")
    const { policies: _policies, rules: shown, ...head } = exampleRuleList
    expect(rest).toEqual(head)
    expect(rules).toEqual(expect.arrayContaining([...shown]))
    expect(policies?.rules ?? []).toEqual([])
    const earlier = await read<RuleList>(`?version=${oldestVersion}`)
    expect(earlier.release).toEqual(exampleRuleList.releases[0])
    expect(earlier.rules.length).toBeLessThan(rules.length)
  })

  it("give one rule with its conditions and its past, as in the worked example", async () => {
    const { rule, ...rest } = await read<RuleDetails>("/HIGH_ENTITY_COUNT")
    const { rule: shown, ...head } = exampleRule
    const { conditions, ...texts } = rule
    expect(rest).toEqual(head)
    expect({ ...texts, conditions: [conditions[1]] }).toEqual(shown)
  })

  it("refuse a release that is not installed, a code that no release has, and a key without the scope", async () => {
    await read<RuleList>("")
    const unknown = await ask("?version=9.9.9")
    expect([unknown.status, unknown.error.details]).toEqual([
      422,
      [
        {
          field: "version",
          message: `must be one of ${exampleRuleList.releases.map(({ version }) => version).join(", ")}`
        }
      ]
    ])
    expect((await ask("/NOBODY_KNOWS_IT")).status).toBe(404)
    expect((await ask("", undefined, keys.readOnly)).status).toBe(403)
  })

  it("are compared in a thread of their own: started, running, then done as in the worked example", async () => {
    expect((await ask(`/comparisons/${exampleRuleComparison.comparison_id}`)).status).toBe(404)
    const started = await ask("/comparisons", exampleRuleComparisonRequest)
    expect([started.status, started.json.state, started.json.changes]).toEqual([202, "running", []])
    // Others wait for their turn, and are told so only where the organization waits for its share.
    const versions = exampleRuleList.releases.map(({ version }) => version)
    const pairs = versions.flatMap((from) => versions.map((to) => ({ from, to }))).filter(isAnotherPair)
    const others = await Promise.all(
      pairs.slice(0, comparisonsWaitingMax).map((pair) => ask("/comparisons", pair))
    )
    expect(new Set(others.map(({ json, status }) => `${status} ${json.state}`))).toEqual(
      new Set(["202 running"])
    )
    const refused = await ask("/comparisons", pairs[comparisonsWaitingMax])
    expect([refused.status, refused.error.code]).toEqual([429, "RATE_LIMITED"])
    const { changes, ...rest } = await compared()
    const { changes: shown, ...head } = exampleRuleComparison
    // This service has no database, and so no history to count.
    expect(rest.own_history?.state).toBe("waiting")
    expect({ ...rest, own_history: head.own_history }).toEqual(head)
    expect(changes).toEqual(expect.arrayContaining([...shown]))
    const again = await ask("/comparisons", exampleRuleComparisonRequest)
    expect([again.status, again.json.state]).toEqual([202, "done"])
  })

  it("list every problem of a comparison that cannot be", async () => {
    const fieldsOf = async (body: object) => {
      const { error, status } = await ask("/comparisons", body)
      return [status, ...error.details.map(({ field }: { readonly field: string }) => field)]
    }
    expect(await fieldsOf({ from: "9.9.9", to: "9.9.9", days: 30 })).toEqual([
      422,
      "days",
      "from",
      "to",
      "to"
    ])
    expect(await fieldsOf({ from: "9.9.9", to: 1 })).toEqual([422, "from", "to"])
    expect(await fieldsOf({ from: oldestVersion })).toEqual([422, "to"])
    expect(await fieldsOf({ from: oldestVersion, to: oldestVersion })).toEqual([422, "to"])
    expect(await fieldsOf([])).toEqual([422, "body"])
  })
})
