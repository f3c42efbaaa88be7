/** `policies/<set>/catalogue.json`: what an organization states about its own tools, systems and agents. */

import { actionClasses, environments } from "../../domain/Action.ts"
import { Result, Schema } from "effect"
import { catalogueAgentsMax, catalogueEntriesMax, cataloguePlacesMax } from "../../limits.ts"
import {
  keyOfSubject,
  type KnownAct,
  type OrganizationEntry
} from "../../scoring/knowledge/OrganizationCatalogue.ts"
import type { Read } from "../Finding.ts"
import { requestFields } from "./caseFiles.ts"
import { decodeFile } from "./decodeFile.ts"
import { ExtentName, ImpactName } from "./providerFiles.ts"
import type { SourceFile } from "./readTree.ts"
import {
  DataClassificationName,
  fileStruct,
  isInCalendar,
  IsoDate,
  type Issue,
  ReversibilityName,
  Sentence,
  Slug
} from "./vocabulary.ts"

const { actionType, agentId, destination, financialValue, targetSystem } = requestFields

const KnownClassName = Schema.Literals(actionClasses.filter((name) => name !== "unknown")).annotate({
  description:
    "The class of the act. It sets the class if the verb is unknown, and moves a known one by a step; see docs/catalogue.md."
})

/** Zero would contradict a positive count, and a tool that touches nothing should have the class `internal`. */
const Count = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
)

const SubjectFile = fileStruct({
  action: Schema.optionalKey(actionType).annotate({
    description: "The whole name of an action, in any spelling that normalizes to the same name."
  }),
  prefix: Schema.optionalKey(actionType).annotate({
    description: "A prefix of names: a provider or a tool server."
  }),
  targetSystem,
  agentId,
  recipientDomain: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?:[a-z\d-]+\.)+[a-z\d-]+$/u, {
        message: "expected a domain in lower case, such as acme.example"
      })
    )
  ).annotate({ description: "Recipients with email addresses in this domain or a subdomain." }),
  place: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?=(?:.*[a-z\d]){3})[a-z\d.:*/@_-]{3,200}$/u, {
        message:
          "expected a host, context, account, profile or project in lower case, with at least three letters or digits, such as *.lab.acme.example"
      })
    )
  ).annotate({
    description:
      "Where commands act: a host, context, account, profile or project; `*` matches any characters. Only with `environment`."
  })
}).check(
  Schema.makeFilter(
    (subject: object) =>
      Object.keys(subject).length === 1 ||
      "expected exactly one of `action`, `prefix`, `target_system`, `agent_id`, `recipient_domain`, `place`"
  )
)

const Day = IsoDate.check(
  Schema.makeFilter((day: string) => isInCalendar(`${day}T00:00:00Z`), {
    message: "expected a day that exists"
  })
)

/** The fields of a call that an entry may state. */
const saidFields = {
  class: Schema.optionalKey(KnownClassName),
  impact: Schema.optionalKey(ImpactName).annotate({
    description: "The attention that the bare call deserves in production. Absent: as usual for the class."
  }),
  extent: Schema.optionalKey(ExtentName),
  holds: Schema.optionalKey(DataClassificationName).annotate({
    description:
      "The kind of data that its object holds. The words of a call can only make it more sensitive."
  }),
  environment: Schema.optionalKey(Schema.Literals(environments)).annotate({
    description:
      "`production`: acts there are in production, whatever environment is stated. Any other, only with `place`: acts there are not in production."
  }),
  entitiesAffected: Count,
  recordsAffected: Count,
  financialValue,
  currency: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Z]{3}$/u, { message: "expected three capital letters, such as EUR" })
    )
  ),
  destination,
  dataClassification: Schema.optionalKey(DataClassificationName),
  reversibility: Schema.optionalKey(ReversibilityName),
  privilegeChange: Schema.optionalKey(Schema.Boolean),
  productionImpact: Schema.optionalKey(Schema.Boolean),
  inside: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "Addresses in the domain belong to the organization. Only with `recipient_domain`."
  })
}

const actFields: ReadonlyArray<keyof KnownAct & keyof OrganizationEntry> = [
  "class",
  "impact",
  "extent",
  "holds"
]

const entryIssues = (entry: OrganizationEntry): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const says = Object.keys(saidFields).filter((field) => Object.hasOwn(entry, field))
  if (says.length === 0) issues.push({ path: [], issue: "the entry says nothing about what it matches" })
  const [of] = Object.keys(entry.match)
  if (of !== undefined && keyOfSubject(entry.match) === "")
    issues.push({ path: ["match", of], issue: "has no letter or digit, so it never matches" })
  if (entry.match.agentId !== undefined) {
    for (const field of actFields.filter((field) => Object.hasOwn(entry, field)))
      issues.push({
        path: [field],
        issue: "says what is done, but an agent's identity does not determine that"
      })
  }
  for (const field of says)
    if ((entry.match.recipientDomain !== undefined) !== (field === "inside"))
      issues.push({
        path: [field],
        issue: "`recipient_domain` and `inside` go together, and allow nothing else"
      })
  for (const field of says)
    if (entry.match.place !== undefined && field !== "environment")
      issues.push({ path: [field], issue: "`place` allows only `environment`" })
  if (entry.match.place === undefined && !["production", undefined].includes(entry.environment))
    issues.push({
      path: ["environment"],
      issue: "only a `place` may have an environment other than `production`"
    })
  if (entry.financialValue !== undefined && entry.currency === undefined)
    issues.push({ path: ["financialValue"], issue: "is an amount, which needs a `currency`" })
  return issues
}

const EntryFile = fileStruct({
  id: Slug.annotate({
    description: "The name that opinions show next to the values that the entry fills in."
  }),
  match: SubjectFile,
  why: Sentence.annotate({ description: "How the organization knows this, in one sentence." }),
  owner: Sentence.annotate({ description: "The owner, who answers for the entry." }),
  reviewBy: Day.annotate({
    description: "The last day on which the entry counts. A person reviews it before then."
  }),
  ...saidFields
}).check(Schema.makeFilter((entry: OrganizationEntry) => [...entryIssues(entry)]))

const fileIssues = (entries: ReadonlyArray<OrganizationEntry>): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const ids = new Set<string>()
  const agents = new Set<string>()
  const places = new Set<string>()
  for (const [at, { id, match }] of entries.entries()) {
    if (ids.has(id)) issues.push({ path: [at, "id"], issue: `another entry is named \`${id}\`` })
    ids.add(id)
    if (match.agentId !== undefined) agents.add(keyOfSubject(match))
    if (match.place !== undefined) places.add(match.place)
  }
  if (agents.size > catalogueAgentsMax)
    issues.push({ path: [], issue: `entries cover more than ${catalogueAgentsMax} agents` })
  if (places.size > cataloguePlacesMax)
    issues.push({ path: [], issue: `entries cover more than ${cataloguePlacesMax} places` })
  return issues
}

export const OrganizationCatalogueFile = fileStruct({
  entries: Schema.Array(EntryFile).check(
    Schema.isMaxLength(catalogueEntriesMax),
    Schema.makeFilter((entries: ReadonlyArray<OrganizationEntry>) => [...fileIssues(entries)])
  )
})

/** An entry as written in its file, including the words for reviewers. */
export type WrittenEntry = (typeof OrganizationCatalogueFile.Type)["entries"][number]

export const readOrganizationCatalogue = (source: SourceFile): Read<ReadonlyArray<WrittenEntry>> =>
  Result.map(decodeFile(OrganizationCatalogueFile, source), ({ entries }) => entries)
