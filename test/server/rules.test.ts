/** The rules of the installation and comparisons of releases over HTTP: what each caller sees, and that the worked examples are correct. */

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
import { laterReleases, rewordedFactor } from "../support/changedRules.ts"

/** This installation, which has one release. */
const installed = runServer(testServer())

const oldest = exampleRuleComparisonRequest.from
const versions = [oldest, exampleRuleComparisonRequest.to, "1.2.0", "1.3.0"] as const
const [, ...later] = versions

/** One with so many releases that their comparisons exceed the queue. */
const grown = runServer(testServer({ root: laterReleases(...later) }))

const askOf = async ({ url }: typeof installed, path: string, body?: object, key = keys.test) => {
  const answer = await fetch(`${url()}/api/v1/rules${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another program: each test says what it expects
  const { error, ...json } = (await answer.json()) as any
  return { status: answer.status, json: { ...json, request_id: exampleRule.request_id }, error }
}

const ask = (path: string, body?: object, key?: string) => askOf(grown, path, body, key)

/** Releases are opened in a thread of its own; until then the service says that it is not ready. */
const read = async <Body>(path: string, server = grown): Promise<Body> => {
  for (;;) {
    const { error, json, status } = await askOf(server, path)
    if (status === 200) return json
    expect([status, error.code]).toEqual([503, "ASSESSMENT_UNAVAILABLE"])
  }
}

/** Repeated until the thread is done. */
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
    const { policies, rules, ...rest } = await read<RuleList>("", installed)
    const { policies: _policies, rules: shown, ...head } = exampleRuleList
    expect(rest).toEqual(head)
    expect(rules).toEqual(expect.arrayContaining([...shown]))
    expect(policies?.rules ?? []).toEqual([])
  })

  it("are those of the newest release, and of an earlier one where the address names it", async () => {
    const [now, before] = [await read<RuleList>(""), await read<RuleList>(`?version=${oldest}`)]
    expect(now.releases.map(({ version }) => version)).toEqual(versions)
    expect([now.served, now.release]).toEqual([now.releases.at(-1)?.version, now.releases.at(-1)])
    expect([before.served, before.release]).toEqual([now.served, exampleRuleList.release])
    const isNew = ({ code, digest }: RuleList["rules"][number]) =>
      before.rules.some((rule) => rule.code === code && rule.digest !== digest)
    expect(now.rules.filter(isNew).map(({ code }) => code)).toEqual([rewordedFactor])
    expect(before.rules).toEqual((await read<RuleList>("", installed)).rules)
  })

  it("give one rule with its conditions and its past, as in the worked example", async () => {
    const { rule, ...rest } = await read<RuleDetails>("/HIGH_ENTITY_COUNT", installed)
    const { rule: shown, ...head } = exampleRule
    const { conditions, ...texts } = rule
    expect(rest).toEqual(head)
    expect({ ...texts, conditions: [conditions[1]] }).toEqual(shown)
  })

  it("give a rule as it read in an earlier release, and name the releases in which it changed", async () => {
    const now = await read<RuleDetails>(`/${rewordedFactor}`)
    const before = await read<RuleDetails>(`/${rewordedFactor}?version=${oldest}`)
    expect(now.rule.why).toBe(`Since 1.3.0: Since 1.2.0: Since 1.1.0: ${before.rule.why}`)
    expect(now.history.map(({ version }) => version)).toEqual(versions)
    expect(new Set(now.history.map(({ digest }) => digest)).size).toBe(versions.length)
    expect([before.history, before.rule.digest]).toEqual([now.history, now.history[0]?.digest])
  })

  it("refuse a release that is not installed, a code that no release has, and a key without the scope", async () => {
    await read<RuleList>("")
    const unknown = await ask("?version=9.9.9")
    expect([unknown.status, unknown.error.details]).toEqual([
      422,
      [
        {
          field: "version",
          message: `must be one of ${versions.join(", ")}`
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
    // Others wait for their turn, and get an error only if the organization exceeds its share.
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
    expect(await fieldsOf({ from: oldest })).toEqual([422, "to"])
    expect(await fieldsOf({ from: oldest, to: oldest })).toEqual([422, "to"])
    expect(await fieldsOf([])).toEqual([422, "body"])
  })
})
