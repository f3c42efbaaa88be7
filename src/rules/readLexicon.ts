/** Reads `rules/lexicon`: the verbs, the words, and one file for each provider. */

import { Result } from "effect"
import type { LexiconData } from "../scoring/LexiconData.ts"
import { decodeFile } from "./decodeFile.ts"
import { ProviderFile, VerbsFile, WordsFile } from "./files/LexiconFiles.ts"
import { type Read, readEvery } from "./Read.ts"
import type { SourceFile } from "./SourceFile.ts"

const shared = new Set(["verbs", "words"])

const named = (sources: ReadonlyArray<SourceFile>, name: string): Read<SourceFile> => {
  const found = sources.find((source) => source.name === name)
  return found === undefined
    ? Result.fail([
        {
          rule: "unreadable-file",
          file: `rules/lexicon/${name}.json`,
          path: [],
          message: "there is no such file"
        }
      ])
    : Result.succeed(found)
}

export const readLexicon = (sources: ReadonlyArray<SourceFile>): Read<LexiconData> =>
  Result.gen(function* () {
    const verbs = yield* decodeFile(VerbsFile, yield* named(sources, "verbs"))
    const words = yield* decodeFile(WordsFile, yield* named(sources, "words"))
    const providers = yield* readEvery(
      sources
        .filter(({ name }) => !shared.has(name))
        .map((source) =>
          Result.map(decodeFile(ProviderFile, source), (provider) => [source.name, provider] as const)
        )
    )
    return { verbs, words, providers: Object.fromEntries(providers) }
  })
