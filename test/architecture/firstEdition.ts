/** The border around the first edition of the score: the files that may look over it, each with its reason. */

import type { TreeRule } from "./treeRules.ts"

const folder = "src/scoring/edition1/"

const reader = "reads the files of its releases"
const shapes = "the shape of its files"

export const firstEditionReaders: Readonly<Record<string, string>> = {
  "src/rules/edition1/prepareFirst.ts": reader,
  "src/rules/edition1/RulesetFile.ts": shapes,
  "src/rules/edition1/lexiconFiles.ts": shapes
}

/** What the first edition shares with the second. A change in one of these files is a change of both. */
export const sharedByEditions: ReadonlySet<string> = new Set(
  [
    "Edition",
    "Facts",
    "HistoryRecord",
    "Model",
    "arithmetic",
    "names/lookalike",
    "money",
    "renderMessage"
  ].map((name) => `src/scoring/${name}.ts`)
)

/** `readers`: the files outside that may import it, each with its reason. Nothing in `src/scoring` may. */
export const firstEditionStandsAlone =
  (readers: Readonly<Record<string, string>>): TreeRule =>
  (files) => {
    const crossings = files.flatMap(({ imports, path }) =>
      imports
        .filter(({ relative, target }) => relative && path.startsWith(folder) !== target.startsWith(folder))
        .map(({ line, target }) => ({ path, line, target }))
    )
    const inward = crossings.filter(({ target }) => target.startsWith(folder))
    const outward = crossings.filter(({ target }) => target.startsWith("src/scoring/"))
    return [
      ...inward
        .filter(({ path }) => readers[path] === undefined)
        .map(({ line, path }) => `${path}:${line} must ask an Edition, not the first edition itself`),
      ...outward
        .filter(({ target }) => !target.startsWith(folder) && !sharedByEditions.has(target))
        .map(({ line, path, target }) => `${path}:${line} ties the first edition to ${target}`),
      ...Object.keys(readers)
        .filter((reader) => !inward.some(({ path }) => path === reader))
        .map((reader) => `${reader} is listed as a reader of the first edition, and is none`)
    ]
  }
