/** One rule file as a reader wants it told: what it says, when it holds, why, and what else is known about it. */

import type { CaseFile } from "../cases/Case.ts"

import type { Prepared } from "../prepareModel.ts"
import type { Root } from "../readTree.ts"
import {
  type CataloguedFactor,
  type CataloguedTypology,
  catalogueFactors,
  catalogueTypologies
} from "./catalogue.ts"
import { type CasesSummary, casesSummary } from "./casesSummary.ts"
import { type Holding, releasesHolding } from "./releasesHolding.ts"

interface Known {
  /** The working cases beside it; null where there are none. */
  readonly cases: CasesSummary | null
  readonly releases: ReadonlyArray<Holding>
}

export type Exhibit = (CataloguedFactor | CataloguedTypology) & Known

export const codesOf = (release: Prepared): ReadonlyArray<string> =>
  [...catalogueFactors(release), ...catalogueTypologies(release)].map(({ code }) => code)

/** Null where the release has no factor and no typology of that name. */
export const exhibit = (
  root: Root,
  release: Prepared,
  suite: ReadonlyArray<CaseFile>,
  code: string
): Exhibit | null => {
  const found = [...catalogueFactors(release), ...catalogueTypologies(release)].find(
    (one) => one.code === code
  )
  if (found === undefined) return null
  return { ...found, cases: casesSummary(suite, code), releases: releasesHolding(root, found.source) }
}
