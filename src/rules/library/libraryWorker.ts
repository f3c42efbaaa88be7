/** The entry point of the thread that reads releases for people: describes all of them, or compares two. */

import { Result } from "effect"
import { answerQuestions } from "../../threads.ts"
import { RulesRefused } from "../Finding.ts"
import { openRulebook } from "../Rulebook.ts"
import { readCorpus } from "../corpus/Corpus.ts"
import type { Diff } from "../diff/Diff.ts"
import { diffRulebooks } from "../diff/diffRulebooks.ts"
import type { Root } from "../files/readTree.ts"
import { type DescribedLibrary, describeLibrary } from "./describeReleases.ts"

/** A question to the thread. */
export type LibraryQuestion =
  | { readonly kind: "describe"; readonly root: Root }
  | { readonly kind: "compare"; readonly root: Root; readonly from: string; readonly to: string }

/** A refusal is a sentence that gives the reason. */
export type LibraryAnswer =
  | { readonly kind: "described"; readonly library: DescribedLibrary }
  | { readonly kind: "compared"; readonly diff: Diff }
  | { readonly kind: "refused"; readonly reason: string }

const compare = (root: Root, from: string, to: string): LibraryAnswer =>
  Result.all([openRulebook(root, from), openRulebook(root, to)]).pipe(
    Result.match({
      onFailure: (findings) => ({ kind: "refused", reason: RulesRefused.of(findings).message }),
      onSuccess: ([before, after]) => ({
        kind: "compared",
        diff: diffRulebooks(before, after, readCorpus(root))
      })
    })
  )

answerQuestions(
  () =>
    (question: LibraryQuestion): LibraryAnswer =>
      question.kind === "describe"
        ? { kind: "described", library: describeLibrary(question.root) }
        : compare(question.root, question.from, question.to)
)
