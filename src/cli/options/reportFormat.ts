/** `--format` of reports: a page for people, or Markdown for a comment on a pull request. */

import { Flag } from "effect/cli"

export const reportFormat = Flag.Literals("format", ["html", "markdown"]).pipe(
  Flag.withDescription("One page for a browser, or Markdown for a comment on a pull request"),
  Flag.withDefault("html")
)
