/** The catalogue of a policy set: how it is read, frozen, checked, compared and suggested. */

import { Result } from "effect"
import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import type { LocatedFinding } from "../../../src/rules/Finding.ts"
import { type Rulebook } from "../../../src/rules/Rulebook.ts"
import { checkPolicies } from "../../../src/rules/check/checkFiles.ts"
import { diffCatalogues } from "../../../src/rules/diff/diffCatalogue.ts"
import { policyDocument } from "../../../src/rules/files/policyFiles.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { loadPolicySet, loadPolicyVersion } from "../../../src/rules/policies/loadPolicySet.ts"
import { suggestEntries } from "../../../src/rules/policies/suggestEntries.ts"
import { loweringEntries } from "../../../src/rules/release/releaseGates.ts"
import { policyCandidate } from "../../../src/rules/release/Candidate.ts"
import { freeze } from "../../../src/rules/release/frozen.ts"
import { cleanRules } from "../../support/cleanRules.ts"
import { model } from "../../support/draft.ts"
import { noHistory } from "../../support/opine.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"
import { read } from "../../support/read.ts"
import { score } from "../../../src/scoring/score.ts"

const cleanRoot = cleanRules()

const place = "policies/house/catalogue.json"

interface Entry extends Readonly<Record<string, unknown>> {
  readonly id?: string
}

const complete = (entry: Entry, at: number): Entry => ({
  id: `entry-${at}`,
  why: "We built it.",
  owner: "platform",
  review_by: "2027-06-30",
  ...entry
})

const write = (root: string, file: string, json: object): void => {
  const [, ...rest] = JSON.stringify(json, null, 2).split("\n")
  const schema = file.endsWith(".cases.json") ? "catalogue-cases" : "catalogue"
  writeFileSync(
    join(root, file),
    `{\n  "$schema": "../../schemas/${schema}.schema.json",\n${rest.join("\n")}\n`
  )
}

/** A folder of clean rules whose set `house` has these entries, each with a case. */
const rootWith = (...entries: ReadonlyArray<Entry>): string => {
  const root = cleanRoot()
  const written = entries.map(complete)
  write(root, place, { entries: written })
  write(root, "policies/house/catalogue.cases.json", {
    cases: written.map(({ id }) => ({
      name: `${id} counts`,
      request: { action_type: "acme.frobnicate", environment: "production" },
      expect: { entries: [id] }
    }))
  })
  return root
}

/** The same with the words of the rules. */
const rootWithRules = (...entries: ReadonlyArray<Entry>): string => {
  const root = rootWith(...entries)
  cpSync(join(packageRoot, "rules"), join(root, "rules"), { recursive: true })
  return root
}

const findingsIn = (root: string, today: string | null = null): ReadonlyArray<string> =>
  checkPolicies(root, "house", today).findings.map(
    ({ message, rule }: LocatedFinding) => `${rule}: ${message}`
  )

const frobnicate = { match: { action: "acme.frobnicate" }, class: "read" }
const call = (actionType: string, more: Partial<Action> = {}): Action => ({
  actionType,
  environment: "production",
  ...more
})

const bookWith = (...entries: ReadonlyArray<Entry>): Rulebook => ({
  ...openedRulebook("draft"),
  policies: read(loadPolicyVersion(rootWith(...entries), "house", "draft"))
})

describe("policies check", () => {
  it("finds nothing in a sound catalogue", () => {
    expect(findingsIn(rootWithRules(frobnicate), "2026-11-22")).toEqual([])
  })

  it.each<[name: string, entry: Entry, says: string]>([
    [
      "a class that does not exist",
      { ...frobnicate, class: "reed" },
      "unknown-code: unknown name `reed`, did you mean `read`?"
    ],
    [
      "the class of what is not known",
      { ...frobnicate, class: "unknown" },
      "unknown-code: unknown name `unknown`"
    ],
    [
      "a count that is a text",
      { ...frobnicate, records_affected: "1" },
      'wrong-type: expected a number, not `"1"`'
    ],
    [
      "a count of nothing",
      { ...frobnicate, records_affected: 0 },
      "wrong-value: expected a value between 1 and"
    ],
    ["no reason", { ...frobnicate, why: undefined }, "missing-why: `why` is missing"],
    ["no owner", { ...frobnicate, owner: "" }, "missing-owner: `owner` says nothing"],
    ["no date of review", { ...frobnicate, review_by: undefined }, "missing-key: `review_by` is missing"],
    [
      "a day that does not exist",
      { ...frobnicate, review_by: "2027-02-30" },
      "wrong-value: expected a day that exists"
    ],
    [
      "two subjects",
      { match: { action: "a.b", prefix: "a" }, class: "read" },
      "wrong-value: expected exactly one of"
    ],
    [
      "a domain that is more than people",
      { match: { recipient_domain: "acme.example" }, inside: true, class: "read" },
      "wrong-value: `recipient_domain` and `inside` go together"
    ],
    [
      "people without a domain",
      { match: { action: "acme.frobnicate" }, inside: true },
      "wrong-value: `recipient_domain` and `inside` go together"
    ],
    [
      "a domain in capitals",
      { match: { recipient_domain: "Acme.example" }, inside: true },
      "wrong-value: expected a domain in lower case"
    ],
    [
      "a place that is more than one",
      { match: { place: "blue" }, environment: "development", class: "read" },
      "wrong-value: `place` allows only `environment`"
    ],
    [
      "a place that is everywhere",
      { match: { place: "*" }, environment: "development" },
      "wrong-value: expected a host, context, account, profile or project"
    ],
    [
      "a tool outside of production",
      { match: { action: "acme.frobnicate" }, environment: "staging" },
      "wrong-value: only a `place` may have an environment other than `production`"
    ],
    ["no subject", { match: {}, class: "read" }, "wrong-value: expected exactly one of"],
    [
      "a name without a letter",
      { match: { action: "..." }, class: "read" },
      "wrong-value: has no letter or digit, so it never matches"
    ],
    [
      "nothing to say",
      { match: { action: "acme.frobnicate" } },
      "wrong-value: the entry says nothing about what it matches"
    ],
    [
      "an agent that says what is done",
      { match: { agent_id: "bot" }, class: "read" },
      "wrong-value: says what is done"
    ],
    [
      "an amount without a currency",
      { match: { agent_id: "bot" }, financial_value: 5 },
      "wrong-value: is an amount, which needs a `currency`"
    ],
    [
      "an unknown field",
      { ...frobnicate, record_affected: 1 },
      "unknown-key: unknown key `record_affected`, did you mean `records_affected`?"
    ]
  ])("refuses %s", (_, entry, says) => {
    const findings = findingsIn(rootWith(entry))
    expect(findings.every((finding) => finding.startsWith(says))).toBe(true)
    expect(findings).toHaveLength(1)
  })

  it("refuses two entries of one name", () => {
    expect(
      findingsIn(rootWith({ ...frobnicate, id: "one" }, { match: { prefix: "x" }, class: "read", id: "one" }))
    ).toEqual([
      "duplicate-case: another case is named `one counts`",
      "wrong-value: another entry is named `one`"
    ])
  })

  it("finds an entry past its date, on the day after it", () => {
    const root = rootWith(frobnicate)
    expect(findingsIn(root, "2027-06-30")).toEqual([])
    expect(findingsIn(root, "2027-07-01")).toEqual([
      expect.stringMatching(/^expired-entry: .* since 2027-06-30/)
    ])
  })

  it("finds an entry that another one of the same name makes superfluous", () => {
    const other = { match: { action: "Acme/Frobnicate" }, class: "write" }
    expect(findingsIn(rootWith(frobnicate, other))).toEqual([
      "shadowed: never decides anything: `entry-1` has the same match and the same values"
    ])
    expect(findingsIn(rootWith({ ...frobnicate, records_affected: 2 }, other))).toEqual([])
  })

  it.each([
    ["delete_contact", "read"],
    ["update_issue", "internal"],
    ["payment.create", "write"]
  ])("finds that %s cannot be called %s", (action, own) => {
    expect(findingsIn(rootWithRules({ match: { action }, class: own }))).toEqual([
      expect.stringMatching(/^class-too-far: has no effect: the name is read as /)
    ])
  })

  it("finds an impact that falls too far, and an unknown currency", () => {
    expect(findingsIn(rootWithRules({ match: { action: "delete_contact" }, impact: "low" }))).toHaveLength(1)
    expect(
      findingsIn(rootWithRules({ match: { agent_id: "bot" }, financial_value: 5, currency: "EUX" }))
    ).toEqual([expect.stringContaining("unknown-code: unknown currency `EUX`")])
  })

  it("finds a name that is milder than what is said of its whole system or prefix", () => {
    const system = { match: { target_system: "acme" }, class: "delete", data_classification: "regulated" }
    const exact = { match: { action: "acme.conflict" }, class: "read", data_classification: "internal" }
    expect(findingsIn(rootWithRules(system, exact))).toEqual([
      expect.stringMatching(/^milder-than-general: is milder than `entry-0`/),
      expect.stringMatching(/^milder-than-general: is milder than `entry-0`/)
    ])
    expect(findingsIn(rootWithRules({ ...system, match: { prefix: "acme" } }, exact))).toHaveLength(2)
    expect(findingsIn(rootWithRules({ ...system, match: { target_system: "acmeco" } }, exact))).toEqual([])
    expect(
      findingsIn(rootWithRules(system, { ...exact, class: "delete", data_classification: "regulated" }))
    ).toEqual([])
  })

  it("finds a payment that is said to move nothing, and none where nothing pays", () => {
    const nothing = (action: string) => ({ match: { action }, financial_value: 0, currency: "EUR" })
    expect(findingsIn(rootWithRules(nothing("wire_transfer")))).toEqual([
      expect.stringMatching(/^payment-of-nothing: says that a payment moves nothing/)
    ])
    expect(findingsIn(rootWithRules(nothing("update_issue")))).toEqual([])
    expect(findingsIn(rootWithRules({ ...nothing("wire_transfer"), financial_value: 1 }))).toEqual([])
  })

  it("asks for a case of every entry", () => {
    const root = rootWith(frobnicate)
    write(root, "policies/house/catalogue.cases.json", { cases: [] })
    expect(findingsIn(root)).toEqual(["no-must-case: no case says where `entry-0` must count"])
  })
})

describe("a policy set with a catalogue", () => {
  it("has another digest than one without", () => {
    const digestOf = (root: string) => loadPolicySet(root, "house").policySet.digest
    expect(digestOf(rootWith(frobnicate))).not.toBe(digestOf(cleanRoot()))
  })

  it("is frozen with it and scores the same from the frozen version", () => {
    const root = rootWith(frobnicate)
    const draft = read(loadPolicyVersion(root, "house", "draft"))
    const { version } = draft.policySet
    const release = { root, kind: "policies", name: `house@${version}` } as const
    const document = policyDocument(draft.files, "house", version, "2026-11-22T00:00:00Z")
    expect(Result.isSuccess(freeze(release, document))).toBe(true)
    const frozen = read(loadPolicyVersion(root, "house", version))
    expect(frozen.policySet.digest).toBe(draft.policySet.digest)
    const scoredBy = ({ policySet }: typeof frozen) =>
      score(call("acme.frobnicate"), noHistory, model, policySet)
    expect(scoredBy(frozen)).toEqual(scoredBy(draft))
    expect(scoredBy(frozen).reading.by).toBe("catalogue")
  })

  it("that cannot be read counts at its worst", () => {
    const { findings, policySet } = loadPolicySet(rootWith({ ...frobnicate, class: "reed" }), "house")
    const { actionRisk, complete, policyContext } = score(call("issue.get"), noHistory, model, policySet)
    expect(findings).toHaveLength(1)
    expect({ score: actionRisk.score, complete }).toEqual({ score: 100, complete: false })
    expect(policyContext).toContainEqual({ policy: "house", rule: "catalogue", effect: "raise_floor" })
  })
})

describe("policies diff", () => {
  const changes = (from: Rulebook, to: Rulebook) =>
    diffCatalogues(from, to).map(({ code, kind, summary, witness }) => ({
      code,
      kind,
      summary,
      moves: witness === undefined ? 0 : Math.sign(witness.to.score - witness.from.score)
    }))

  it("shows an entry that lowers a score, with a request", () => {
    expect(changes(bookWith(), bookWith(frobnicate))).toEqual([
      { code: "catalogue.entry-0", kind: "looser", summary: "a new entry", moves: -1 }
    ])
    const [change] = diffCatalogues(bookWith(), bookWith(frobnicate))
    expect(change?.witness?.request).toMatchObject({ action_type: "acme.frobnicate" })
  })

  it("shows that recipients in a domain become colleagues", () => {
    const own = { match: { recipient_domain: "acme.example" }, inside: true }
    expect(changes(bookWith(), bookWith(own))).toEqual([
      { code: "catalogue.entry-0", kind: "looser", summary: "a new entry", moves: -1 }
    ])
  })

  it("shows that a place is confirmed, or in production", () => {
    const at = (environment: string) => bookWith({ match: { place: "*.acme.example" }, environment })
    expect(changes(bookWith(), at("development"))).toMatchObject([{ kind: "looser", summary: "a new entry" }])
    expect(changes(bookWith(), at("production"))).toMatchObject([{ kind: "stricter" }])
  })

  it("shows an entry that is gone, and one that raises", () => {
    expect(changes(bookWith(frobnicate), bookWith())).toEqual([
      { code: "catalogue.entry-0", kind: "stricter", summary: "the entry is gone", moves: 1 }
    ])
    const erp = { match: { target_system: "erp" }, environment: "production" }
    expect(changes(bookWith(), bookWith(erp))).toMatchObject([{ kind: "stricter", moves: 1 }])
  })

  it("shows a later date of review by a request after the earlier one", () => {
    const later = { ...frobnicate, review_by: "2028-06-30" }
    const [change] = diffCatalogues(bookWith(frobnicate), bookWith(later))
    expect(change).toMatchObject({ kind: "looser", summary: "review_by changed" })
    expect(change?.witness?.history?.now).toBe("2027-07-01T00:00:00Z")
  })

  it("leaves out what only its reviewers read", () => {
    expect(changes(bookWith(frobnicate), bookWith({ ...frobnicate, why: "We bought it." }))).toEqual([])
  })
})

describe("policies release", () => {
  const place = { file: "policies/house/CHANGELOG.md", line: 1 }
  const messages = (before: Rulebook, draft: Rulebook, ...accepted: ReadonlyArray<string>) =>
    loweringEntries(before, draft, accepted, place).map(({ message }) => message)

  it("refuses an entry that lowers a score until it is accepted by its name", () => {
    const [before, draft] = [bookWith(), bookWith(frobnicate)]
    expect(messages(before, draft)).toEqual([
      expect.stringContaining("now scores 16 with NO_ADDITIONAL_CONTROL_RECOMMENDED by `catalogue.entry-0`")
    ])
    expect(messages(before, draft, "catalogue.entry-0")).toEqual([])
    expect(messages(draft, before)).toEqual([])
    expect(messages(draft, before, "catalogue.entry-0")).toEqual([
      expect.stringContaining("nothing scores lower or gets a weaker control by `catalogue.entry-0`")
    ])
  })

  it("asks for a minor version and a star, because a score can move", () => {
    const { scoringParts } = policyCandidate(rootWith(frobnicate), "house", "1.0.0")
    expect(scoringParts(bookWith(frobnicate))).not.toEqual(scoringParts(bookWith()))
  })
})

describe("policies suggest", () => {
  const { policySet } = read(loadPolicyVersion(cleanRoot(), "house", "draft"))

  it("suggests kinds for an unknown tool, with what each would change", () => {
    const calls = [call("acme.frobnicate"), call("Acme.Frobnicate"), call("issue.get")]
    const suggestions = suggestEntries(calls, model, policySet)
    expect(
      suggestions.every(
        ({ action, calls, reason }) => action === "acme.frobnicate" && calls === 2 && reason === "unknown"
      )
    ).toBe(true)
    expect(suggestions[0]).toMatchObject({
      changed: 2,
      from: { level: "moderate" },
      to: { level: "low" },
      entry: { id: "acme-frobnicate", match: { action: "acme.frobnicate" }, class: "read" }
    })
  })

  it("suggests for a known tool what its other calls stated", () => {
    const calls = [
      call("reports.export"),
      call("reports.export"),
      call("reports.export", { dataClassification: "public", recordsAffected: 12, entitiesAffected: 3 })
    ]
    const [suggestion] = suggestEntries(calls, model, policySet)
    expect(suggestion).toMatchObject({
      reason: "undescribed",
      entry: { data_classification: "public", records_affected: 12 }
    })
  })

  it("suggests nothing where no entry changes a level", () => {
    expect(suggestEntries([call("issue.get"), call("delete_contact")], model, policySet)).toEqual([])
  })
})
