/** `lexicon/alternatives.json`: a safer alternative for each act. */

import { Result, Schema } from "effect"
import { type ActionClass, actionClasses } from "../../domain/Action.ts"
import type { SaferAlternative } from "../../scoring/telling/saferAlternatives.ts"
import type { Read } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { fileNamed, type SourceFile } from "../files/readTree.ts"
import { fileStruct, Sentence } from "../files/vocabulary.ts"
import { madeFrom, WordList, wordsOf } from "./actText.ts"

export const AlternativesFile = fileStruct({
  alternatives: Schema.NonEmptyArray(
    fileStruct({
      acts: Schema.optionalKey(WordList).annotate({
        description: "Types of acts, as in `normalized_action_type`, separated by spaces."
      }),
      classes: Schema.optionalKey(WordList).annotate({
        description: "Any act of these classes. The first entry that matches an act counts."
      }),
      say: Sentence.annotate({
        description: "A step for an agent or a person to take instead, or first."
      }),
      cases: Schema.NonEmptyArray(Schema.NonEmptyString).annotate({
        description: "Example commands, or action names if without a space, whose answer gives it."
      })
    })
  )
})
export type AlternativesData = typeof AlternativesFile.Type

export const isAlternativeFile = ({ folder, name }: Pick<SourceFile, "folder" | "name">): boolean =>
  folder !== "providers" && folder !== "words" && folder !== "parameters" && name === "alternatives"

export const readAlternatives = (sources: ReadonlyArray<SourceFile>): Read<AlternativesData> =>
  Result.flatMap(fileNamed(sources, "alternatives", "rules/lexicon"), (source) =>
    decodeFile(AlternativesFile, source)
  )

const classNames: ReadonlySet<string> = new Set(actionClasses)
const isClass = (word: string): word is ActionClass => classNames.has(word)

export const prepareAlternatives = ({ alternatives }: AlternativesData): ReadonlyArray<SaferAlternative> =>
  alternatives.map((data) =>
    madeFrom<SaferAlternative>(data, ["say"], {
      acts: new Set(wordsOf(data.acts)),
      classes: new Set(wordsOf(data.classes).filter(isClass)),
      say: data.say
    })
  )
