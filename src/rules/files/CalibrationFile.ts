/** `rules/calibration.json`: what scores must mean, case by case and pair by pair. */

import { Schema } from "effect"
import { levels } from "../../domain/Level.ts"
import { situation, SituationFile } from "./CasesFile.ts"
import { fileStruct } from "./fileStruct.ts"
import { Points, Sentence } from "./vocabulary.ts"

const LevelName = Schema.Literals(levels.filter((level) => level !== "minimal"))

export const CalibrationFile = fileStruct({
  cases: Schema.Array(
    fileStruct({
      name: Sentence,
      why: Sentence,
      ...situation,
      expect: fileStruct({
        level: Schema.Union([LevelName, Schema.Array(LevelName)]),
        /** Least and greatest. */
        score: Schema.optionalKey(Schema.Tuple([Points, Points]))
      })
    })
  ),
  /** The first must score strictly higher. */
  orderings: Schema.Array(fileStruct({ why: Sentence, higher: SituationFile, lower: SituationFile }))
})
