/** `lexicon/` of the second edition: words, commands, and what each provider calls its own tools and operations. */

import { Result } from "effect"
import type { Finding } from "../Finding.ts"
import { succeedUnless } from "../Finding.ts"
import { readCommandsFile } from "./CommandsFile.ts"
import { readProviders } from "./providerFiles.ts"
import type { SourceFile } from "./readTree.ts"
import { readWords, wordFileNames } from "./wordFiles.ts"

const isRead = ({ folder, name }: SourceFile): boolean =>
  folder === "providers" || (folder === "words" ? wordFileNames.has(name) : name === "commands")

/** Invariant: each file is either read or reported. */
const unread = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> =>
  sources
    .filter((source) => !isRead(source))
    .map(({ file }) => ({
      rule: "unreadable-file",
      file,
      path: [],
      message: "nothing reads it: expected `providers/`, `words/` or `commands.json`"
    }))

export const readSecondLexicon = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    yield* succeedUnless(unread(sources), () => undefined)
    const inFolder = (name: string) => sources.filter(({ folder }) => folder === name)
    const providers = yield* readProviders(inFolder("providers"))
    const commands = yield* readCommandsFile(sources.filter(({ folder }) => folder !== "providers"))
    const words = yield* readWords(inFolder("words"))
    return { ...words, commands, providers }
  })
