/** The tables of commands in docs/guards.md and docs/incidents.md: their level columns are generated. */

/** The pages that have such tables. */
export const levelPages = ["docs/guards.md", "docs/incidents.md"] as const

const shownIn = ["development", "production"] as const
const table = /(?<=^<!-- the levels of commands -->\n+)(?:\|.*\n)+/gm
const row = /^(?<start>\| `(?<command>[^`]+)` +\| )\w+ +\| \w+ +(?=\|)/gm

/** One line for each command and environment, for `assess --batch`. */
export const levelQuestions = (text: string): string =>
  [...text.matchAll(table)]
    .flatMap(([rows]) => [...rows.matchAll(row)])
    .flatMap(({ groups = {} }) =>
      shownIn.map((environment) => {
        const command = (groups["command"] ?? "").replaceAll(String.raw`\|`, "|")
        return JSON.stringify({ tool: "Bash", arguments: { command }, environment })
      })
    )
    .join("\n")

/** The page with the levels of `answers`, which answer its questions line by line. */
export const levelsPage = (text: string, answers: string): string => {
  const levels = answers
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).action_risk.level)
  return text.replace(table, (rows) =>
    rows.replace(row, (_all, start: string) => {
      const now = shownIn.map((environment) => (levels.shift() ?? "").padEnd(environment.length + 1))
      return start + now.join("| ")
    })
  )
}
