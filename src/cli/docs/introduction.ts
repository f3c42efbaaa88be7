/** What docs/cli.md says before the commands: what all of them have in common. */

const endings = `Exit codes: 0 when all is well, 1 when a command was refused or has found what it looks for (findings, failing cases, a
counterexample), 2 for wrong usage, 3 for a fault of ours. A refusal is one line on standard error that says what to do.`

const settings = `Settings are environment variables; README.md has the table. The commands on rules and policies need no database, no
server and no network, but where they are told to read history from one. \`NO_COLOR\` and \`FORCE_COLOR\` are honoured.`

const json = `With \`--json\` a command prints one JSON document on standard output and nothing else (\`webhooks listen\` one on a line for each
delivery). Its type stands below each command,
as TypeScript would write it; fields may be added to it, and none is renamed or removed without a major version.`

const completions = `In bash, zsh and fish the commands complete themselves, under the name that the first line gives them:`

const installing = `\`\`\`sh
alias action-risk='npx action-risk'
npx action-risk --completions bash >> ~/.bashrc
npx action-risk --completions zsh > "\${fpath[1]}/_action-risk"
npx action-risk --completions fish > ~/.config/fish/completions/action-risk.fish
\`\`\``

export const introduction: ReadonlyArray<string> = [
  "# The commands of `action-risk`",
  "This page is written by `npm run docs:cli` from the commands themselves; a test keeps it up to date.",
  endings,
  settings,
  json,
  completions,
  installing
]
