/** Every mutant of a file that is data: a copy of its JSON with one number, name or entry changed. */

import { actionClasses, dataClassifications, reversibilities } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"

export interface DataMutant {
  /** The position of the change in the file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** A description of the change in the words of the file: `impact moderate → high`. */
  readonly change: string
  /** Makes the changed copy. A file has up to fifty thousand mutants, so each is made when it is tried. */
  readonly changed: () => unknown
}

type Path = DataMutant["path"]

/** Weakest first: a name of one of them becomes its neighbours. */
const scales: ReadonlyArray<ReadonlyArray<string>> = [impacts, extents, dataClassifications, reversibilities]

/** Written for reviewers, or naming the file: no score depends on them. */
const unscored: ReadonlySet<string> = new Set(["why", "owner", "id", "version", "review_by"])

/** A tenth of a number: one more or less of thousands of basis points seldom shows in a score of 1 to 100. */
const step = (value: number): number => Math.max(1, Math.round(Math.abs(value) / 10))

/** The classes have no order, so each becomes the mildest common one, and that one the gravest. */
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

/** The files of commands hold lists of words as one text. */
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

/** The mutants of a part of the file as mutants of what it is in. `put`: that, with the part replaced. */
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

const without = (path: Path, changed: () => unknown): DataMutant => ({
  path,
  change: `without ${String(path.at(-1))}`,
  changed
})

/** A field of a fixed shape cannot be left out, so the reader of the file refuses those mutants, and nobody counts them. */
export const mutateData = (value: unknown): ReadonlyArray<DataMutant> => {
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
