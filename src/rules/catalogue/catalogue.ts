/** What a release holds, file by file, as its authors described it. */

import { Result } from "effect"
import { type Severity, severities } from "../../domain/RiskFactor.ts"
import { decodeFile } from "../decodeFile.ts"
import { FactorFile } from "../files/FactorFile.ts"
import { TypologyFile } from "../files/TypologyFile.ts"
import { type FactorLadder, factorLadders, type TypologyLadder, typologyLadders } from "../ladders.ts"
import type { Prepared } from "../prepareModel.ts"
import type { SourceFile } from "../SourceFile.ts"

export interface CataloguedFactor extends FactorLadder {
  readonly described: typeof FactorFile.Type
  readonly source: SourceFile
}

export interface CataloguedTypology extends TypologyLadder {
  readonly described: typeof TypologyFile.Type
  readonly source: SourceFile
}

export const catalogueFactors = (release: Prepared): ReadonlyArray<CataloguedFactor> =>
  factorLadders(release).flatMap((ladder) =>
    release.files.factors
      .filter(({ name }) => name === ladder.code)
      .flatMap((source) =>
        // A release that opened has been decoded once already.
        Result.match(decodeFile(FactorFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ladder, described, source }]
        })
      )
  )

export const catalogueTypologies = (release: Prepared): ReadonlyArray<CataloguedTypology> =>
  typologyLadders(release).flatMap((ladder) =>
    release.files.typologies
      .filter(({ name }) => name === ladder.code)
      .flatMap((source) =>
        Result.match(decodeFile(TypologyFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ladder, described, source }]
        })
      )
  )

/** What its rules can raise a factor to, weakest first. */
export const severitiesOf = ({ rules }: FactorLadder): ReadonlyArray<Severity> =>
  severities.filter((severity) => rules.some(({ match }) => match.severity === severity))

/** What its rules add to the hazard, in basis points; each once, ascending. */
export const hazardsOf = ({ rules }: FactorLadder): ReadonlyArray<number> =>
  [...new Set(rules.map(({ match }) => match.hazardBp))].toSorted((a, b) => a - b)
