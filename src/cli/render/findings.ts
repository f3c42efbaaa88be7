/** Prints findings in the format that was asked for. */

import type { Root } from "../../rules/readTree.ts"
import type { Format } from "../options/format.ts"
import type { FindingsPage } from "./findings/FindingsPage.ts"
import { renderGithub } from "./findings/github.ts"
import { renderMarkdown } from "./findings/markdown.ts"
import { renderPretty } from "./findings/pretty.ts"
import { renderSarif } from "./findings/sarif.ts"
import { sourceLines } from "./findings/sourceLines.ts"
import { type Sheet, terminal } from "./Sheet.ts"

/** `root` holds the files that the findings name. */
export const renderFindings = (
  format: Format,
  page: FindingsPage,
  root: Root,
  sheet: Sheet = terminal()
): string => {
  switch (format) {
    case "sarif":
      return renderSarif(page)
    case "github":
      return renderGithub(page)
    case "markdown":
      return renderMarkdown(page)
    case "pretty":
      return renderPretty(sheet, page, sourceLines(root))
  }
}
