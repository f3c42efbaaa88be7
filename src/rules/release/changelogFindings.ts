/** Whether the changelog tells of the version: what changed, what can move a score, and why something may score lower. */

import type { LocatedFinding } from "../LocatedFinding.ts"
import type { Candidate } from "./Candidate.ts"
import { gateFinding } from "./gateFinding.ts"

/** Of the same major and minor version. */
const isPatch = (newest: string | null, version: string): boolean =>
  newest !== null && newest !== version && newest.replace(/\.\d+$/, "") === version.replace(/\.\d+$/, "")

/** `moves`: whether a score could differ from the newest release; `accepted`: codes that may score lower. */
export const changelogFindings = (
  { changelog: { entries, file }, newest, version }: Pick<Candidate, "changelog" | "newest" | "version">,
  moves: boolean,
  accepted: ReadonlyArray<string>
): ReadonlyArray<LocatedFinding> => {
  const finding = gateFinding("missing-changelog", file)
  const entry = entries.find((entry) => entry.version === version)
  const [first] = entries
  if (entry === undefined) {
    const where = first?.line ?? 1
    return [finding(where, `there is no entry for \`${version}\`: say what changed`, `## ${version}`)]
  }
  const { items, line } = entry
  const unexplained = accepted.filter((code) => items.every((item) => item.accepted?.code !== code))
  return [
    ...(entry === first ? [] : [finding(line, `\`${version}\` is the newest and stands first`)]),
    ...(items.length > 0
      ? []
      : [finding(line, "the entry is empty: say what changed, one `- ` for each change")]),
    ...(moves && items.length > 0 && !items.some((item) => item.moves)
      ? [finding(line, "scores can move, and no item has the ★ that says so", "- ★ …")]
      : []),
    ...(isPatch(newest, version) && items.some((item) => item.moves)
      ? [finding(line, "an item has a ★, and what can move a score is no patch")]
      : []),
    ...unexplained.map((code) =>
      finding(
        line,
        `no item says why \`${code}\` may score lower than before`,
        `- ★ Accepted lower: ${code}, because …`
      )
    )
  ]
}
