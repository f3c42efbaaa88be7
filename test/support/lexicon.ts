/** The lexicon of the first edition, as tests of its score use it. */

import { readLexicon } from "../../src/rules/edition1/lexiconFiles.ts"
import { files, model } from "./edition1.ts"
import { read } from "./read.ts"

export const lexiconData = read(readLexicon(files.lexicon))

export const { lexicon } = model
