/** Tries the mutants of a data file: the numbers, the lexicon, or the catalogue of a policy set. */

import { Result } from "effect"
import { type Read, succeedUnless } from "../Finding.ts"
import type { Rulebook, Scoring } from "../Rulebook.ts"
import type { Case } from "../cases/Case.ts"
import { prepareCase, tryCase } from "../cases/tryCase.ts"
import { locator } from "../files/locate.ts"
import { lexiconPart, type Root, type RuleFiles, type SourceFile } from "../files/readTree.ts"
import { preparePolicySet } from "../policies/PreparedPolicySet.ts"
import { prepareRelease } from "../release/loadRelease.ts"
import { type MutableFile, type Survivor, survivorAt } from "./MutationReport.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { actionClasses, dataClassifications, reversibilities } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"

/** A data file. `scoringWith`: scores with the file's content replaced; fails if the reader rejects that content. */
interface DataFile {
  readonly code: string
  readonly source: SourceFile
  readonly scoringWith: (json: unknown) => Read<Scoring>
}

/** A prime: walking in steps of it reaches every mutant, unless their number is a multiple of it. */
const stride = 7_919

/** Reorders the items so that any prefix is spread over the file. Deterministic. */
const scattered = <T>(all: ReadonlyArray<T>): ReadonlyArray<T> => {
  const by = all.length % stride === 0 ? 1 : stride
  return all.map((one, i) => all[(i * by) % all.length] ?? one)
}

const fails = (one: Case, { model, policySet }: Scoring): boolean =>
  !tryCase(prepareCase(one, model, policySet), model, policySet).passed

/**
 * Equivalence of data mutants is not decided, so none counts as equivalent. Each mutant is scored from scratch, including the history of
 * its cases, because both depend on numbers and words.
 */
export const mutableFile = (
  root: Root,
  { code, scoringWith, source }: DataFile,
  cases: ReadonlyArray<Case>,
  mutantsMax: number
): MutableFile => ({
  code,
  size: mutantsMax,
  *mutate() {
    // Generated lazily: all files together have some three hundred thousand mutants.
    const mutants = scattered(mutateData(source.json))
    const locate = locator(root)
    // The cases of the file come first. A case that killed a mutant often kills the next one too, so it moves to the front.
    const isOwn = ({ of }: Case): boolean => of === code
    let killers = [...cases.filter(isOwn), ...cases.filter((one) => !isOwn(one))]
    const survivors: Array<Survivor> = []
    let killed = 0
    for (const mutant of mutants) {
      if (killed + survivors.length === mutantsMax) break
      const scoring = scoringWith(mutant.changed())
      if (Result.isFailure(scoring)) continue
      const killer = killers.find((one) => fails(one, scoring.success))
      if (killer === undefined) {
        const name = mutant.path.map(String).join(".")
        const message = `no case notices ${mutant.change} in \`${name}\``
        survivors.push(survivorAt(locate, { ...mutant, file: source.file }, message, { code, name }))
      } else {
        killed += 1
        killers = [killer, ...killers.filter((one) => one !== killer)]
      }
      yield
    }
    const survived = survivors.length
    return { code, counts: { total: killed + survived, killed, survived, equivalent: 0 }, survivors }
  }
})

/** The ruleset and the lexicon files, by part (`programs/git`). */
export const ruleData = ({ policies: { policySet }, release }: Rulebook): ReadonlyArray<DataFile> => {
  const { files } = release
  const scoringOf = (changed: Partial<RuleFiles>): Read<Scoring> =>
    Result.map(prepareRelease({ ...files, ...changed }, release.model.digest), ({ model }) => ({
      model,
      policySet
    }))
  return [
    {
      code: "ruleset",
      source: files.ruleset,
      scoringWith: (json) => scoringOf({ ruleset: { ...files.ruleset, json } })
    },
    ...files.lexicon.map((source, i): DataFile => ({
      code: lexiconPart(source),
      source,
      scoringWith: (json) => scoringOf({ lexicon: files.lexicon.with(i, { ...source, json }) })
    }))
  ]
}

/** The catalogue of the policy set, if it has one. */
export const policyData = ({ policies, release: { model } }: Rulebook): ReadonlyArray<DataFile> => {
  const { files, policySet } = policies
  const { catalogue } = files
  if (catalogue === undefined) return []
  const scoringWith = (json: unknown): Read<Scoring> => {
    const changed = preparePolicySet(policySet.name, { ...files, catalogue: { ...catalogue, json } })
    return succeedUnless(changed.findings, () => ({ model, policySet: changed.policySet }))
  }
  return [{ code: "catalogue", source: catalogue, scoringWith }]
}

/** A mutant of data: a copy of its JSON with one number, name or entry changed. */
interface DataMutant {
  /** The path of the change in the file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** Describes the change in the terms of the file: `impact moderate → high`. */
  readonly change: string
  /** Builds the changed copy. Lazy, because a file has up to fifty thousand mutants. */
  readonly changed: () => unknown
}

/** Ordered scales, weakest first: a value on one of them is replaced by its neighbors. */
const scales: ReadonlyArray<ReadonlyArray<string>> = [impacts, extents, dataClassifications, reversibilities]

/** Keys for reviewers or for identifying the file, which affect no score. */
const unscored: ReadonlySet<string> = new Set(["why", "owner", "id", "version", "review_by"])

/** A tenth of a number: changing thousands of basis points by one rarely shows in a score of 1 to 100. */
const step = (value: number): number => Math.max(1, Math.round(Math.abs(value) / 10))

/** Classes have no order, so each is replaced by the mildest common one, and that one by the gravest. */
const otherClass = (name: string): string => (name === "read" ? "destroy" : "read")

const otherValues = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "boolean") return [!value]
  if (typeof value === "number") return [value - step(value), value + step(value)]
  if (typeof value !== "string") return []
  if ((actionClasses as ReadonlyArray<string>).includes(value)) return [otherClass(value)]
  const scale = scales.find((names) => names.includes(value)) ?? []
  const at = scale.indexOf(value)
  return [scale[at - 1], scale[at + 1]].filter((neighbour) => neighbour !== undefined)
}

/** Command files write lists of words as one text. */
const otherTexts = (text: string): ReadonlyArray<DataMutant> => {
  const words = text.split(" ")
  if (words.length < 2) return []
  return words.flatMap((word, i) => {
    const others = otherValues(word)
    const replaced = others.map((other) => ({
      path: [],
      change: `${word} → ${String(other)}`,
      changed: () => words.with(i, String(other)).join(" ")
    }))
    if (replaced.length > 0) return replaced
    return [{ path: [], change: `without ${word}`, changed: () => words.toSpliced(i, 1).join(" ") }]
  })
}

/** Turns mutants of a part into mutants of its container. `put`: the container with the part replaced. */
const within = (
  key: PropertyKey,
  inner: ReadonlyArray<DataMutant>,
  put: (part: unknown) => unknown
): ReadonlyArray<DataMutant> =>
  inner.map(({ change, changed, path }) => ({
    path: [key, ...path],
    change: path.length === 0 && typeof key === "string" ? `${key} ${change}` : change,
    changed: () => put(changed())
  }))

const withoutKey = (value: Readonly<Record<string, unknown>>, key: string): unknown => {
  const { [key]: _, ...others } = value
  return others
}

const without = (path: DataMutant["path"], changed: () => unknown): DataMutant => ({
  path,
  change: `without ${String(path.at(-1))}`,
  changed
})

/** Fields of a fixed shape cannot be omitted: the file's reader rejects those mutants, and they are not counted. */
const mutateData = (value: unknown): ReadonlyArray<DataMutant> => {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, i) => [
      {
        path: [i],
        change: typeof item === "string" ? `without ${item}` : "without the entry",
        changed: () => value.toSpliced(i, 1)
      },
      ...within(i, mutateData(item), (part) => value.with(i, part))
    ])
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      if (unscored.has(key)) return []
      return [
        without([key], () => withoutKey(value, key)),
        ...within(key, mutateData(item), (part) => ({ ...value, [key]: part }))
      ]
    })
  }
  const replaced = otherValues(value).map((other) => ({
    path: [],
    change: `${String(value)} → ${String(other)}`,
    changed: () => other
  }))
  return replaced.length === 0 && typeof value === "string" ? otherTexts(value) : replaced
}
