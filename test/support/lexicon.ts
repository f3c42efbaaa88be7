/** The lexicon of the working tree, as tests of the pure score use it. */

import { readdirSync, readFileSync } from "node:fs"
import type { LexiconData, ProviderFile, VerbsFile, WordsFile } from "../../src/scoring/LexiconData.ts"
import { prepareLexicon } from "../../src/scoring/Lexicon.ts"

const directory = new URL("../../rules/lexicon/", import.meta.url)

const read = <File>(name: string): File =>
  JSON.parse(readFileSync(new URL(`${name}.json`, directory), "utf8")) as File

const providerNames = readdirSync(directory)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .filter((name) => name !== "verbs" && name !== "words")

export const lexiconData: LexiconData = {
  verbs: read<VerbsFile>("verbs"),
  words: read<WordsFile>("words"),
  providers: Object.fromEntries(providerNames.map((name) => [name, read<ProviderFile>(name)]))
}

export const lexicon = prepareLexicon(lexiconData)
