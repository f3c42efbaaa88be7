/** `--format`: how findings are printed, for people or for the tool that shows them in a review. */

import { Flag } from "effect/cli"

export const formats = ["pretty", "sarif", "github", "markdown"] as const
export type Format = (typeof formats)[number]

export const format = Flag.Literals("format", formats).pipe(
  Flag.withDescription(
    "For people; as SARIF 2.1.0; as GitHub annotations; or as a Markdown table for a pull request"
  ),
  Flag.withDefault("pretty")
)
