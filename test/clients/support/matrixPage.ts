/** Writes `docs/agents/hosts.md` from the observed results. */

import { type GenuineHost, versionOf } from "./programs.ts"

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const [head = [], ...body] = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(line).join("\n")
}

export interface Matrix {
  readonly hosts: ReadonlyArray<GenuineHost>
  readonly trials: ReadonlyArray<string>
  /** Whether the command ran, by host and trial. */
  readonly seen: ReadonlyMap<string, boolean>
  /** What was reported for a command that succeeded, and for one that failed. */
  readonly reported: Readonly<Record<GenuineHost, readonly [string, string]>>
  /** Hosts with their own judge, or with another route to a call, and the answer to the hook there. */
  readonly ways: ReadonlyArray<string>
  readonly answers: ReadonlyArray<string>
}

export const matrixPage = ({
  answers,
  hosts,
  reported,
  seen,
  trials,
  ways
}: Matrix): string => `# What the hosts do

After this page you know, for each coding agent, which faults let a command run. \`npm run test:clients\` writes it: it installs the genuine programs, with our hook in an empty home, with a model on loopback that wants one
command run, and without a network. No person sits in front of them, and their own permissions let the command run. The test looks at one thing: whether the file exists that the command makes.

${table([["", ...hosts], ["version", ...hosts.map(versionOf)], ...trials.map((trial) => [trial, ...hosts.map((host) => (seen.get(`${host} ${trial}`) ? "ran" : "-"))])])}

With \`--outcomes\` and a key to report with, this was reported for the command that ran:

${table([
  ["", ...hosts],
  ["it ended well", ...hosts.map((host) => reported[host][0])],
  ["it ended with an error", ...hosts.map((host) => reported[host][1])]
])}

## Their own judges, and other ways to a call

Here the host approves the call itself. The hook's objection counts in each row but one.

${table([["", ...answers], ...ways.map((way) => [way, ...answers.map((answer) => (seen.get(`${way} ${answer}`) ? "ran" : "-"))])])}

- **Codex runs no hook for text that it types into a running program** (\`write_stdin\`). The hook sees that a shell, an interpreter or a session is opened, so that is the call to ask about: at \`sh\` and \`python3\` the
  rules of the package have a person asked, at \`psql\` they do not.
- **Gemini CLI knows no external checker by any name** and refuses the call; its own checkers change nothing for the hook.
- Not run: Claude Code's check of \`auto\` on its servers, which it needs for a call such as \`curl\`, and \`bypassPermissions\`, which it refuses to the user root.

## Limits

The editor Cursor is in no registry, so only its runner of hooks was tested (\`@cursor/sdk\` 1.0.32), with the installed entries and the same trials of a service. In each trial in which the programs above did
not run the command, the runner got an objection; in the other two it got silence. For a command the objection is a question or a refusal, for any other call it is a refusal.

No hook can fix this:

- **Codex runs everything until you trust the hook** in \`/hooks\`, and says nothing. Trust it again after each change.
- **OpenCode runs everything where the plugin cannot be loaded**, and with \`--pure\`.
- **Claude Code, Codex, Copilot CLI and Gemini CLI** start the hook by a shell. A line that the shell itself prints (\`BASH_ENV\`) comes before the
  answer, and can let a call run.
- **Qwen Code and Droid** run a call whose hook ends with an error other than 2, or prints a line before its JSON. Droid runs a call whose hook asks, so that its hook refuses
  (\`--reply exit2\`).
- A host reads its settings at its start: a hook that is installed later counts from the next one.

Not run here, because they are in no registry: [Cursor](cursor.md) and [VS Code](vscode.md), Windsurf, Goose, Kiro, Antigravity; Amp, which needs its own service ([other hosts](other-hosts.md)); Cline and Copilot inside an editor.
`
