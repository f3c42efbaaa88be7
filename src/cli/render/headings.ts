/** The first row of a table: what its columns are. */

import type { Row } from "./table.ts"

export const headings = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim" }))
