/** The command tree of `action-risk`: all of it, or only the command that a command line names. */

import { Command } from "effect/cli"

/** In the order of the help. Each command is loaded only when it is named: `serve` would otherwise load a third of all modules and never use them. */
const loadCommand = {
  serve: async () => (await import("./service/serve.ts")).serve,
  migrate: async () => (await import("./service/migrate.ts")).migrateDatabase,
  status: async () => (await import("./service/status.ts")).status,
  orgs: async () => (await import("./organizations.ts")).orgsCommand,
  keys: async () => (await import("./keys.ts")).keysCommand,
  console: async () => (await import("./service/consoleLink.ts")).consoleCommand,
  assess: async () => (await import("./assess.ts")).assess,
  ask: async () => (await import("./agents/ask.ts")).ask,
  tools: async () => (await import("./agents/toolsCommands.ts")).toolsCommand,
  mcp: async () => (await import("./agents/mcpServe.ts")).mcpCommand,
  demo: async () => (await import("./service/demo.ts")).demo,
  codes: async () => (await import("./codes.ts")).listCodes,
  rules: async () => (await import("./rules/rulesCommands.ts")).rulesCommand,
  policies: async () => (await import("./rules/rulesCommands.ts")).policiesCommand,
  evidence: async () => (await import("./evidence/evidenceCommands.ts")).evidenceCommand,
  outcomes: async () => (await import("./outcomes/outcomesCommands.ts")).outcomesCommand,
  webhooks: async () => (await import("./webhooks/webhooksCommands.ts")).webhooksCommand
}

type Name = keyof typeof loadCommand

const names = Object.keys(loadCommand) as ReadonlyArray<Name>

/** The commands that the first word of the command line needs: all of them where it is no name of a command, as for help and typing errors. */
const needed = (first: string | undefined): ReadonlyArray<Name> => {
  if (first === "--version") return []
  const named = names.filter((name) => name === first)
  return named.length === 0 ? names : named
}

/** `first`: the first word of the command line. */
export const commandTree = async (first?: string) => {
  const loaded = await Promise.all(needed(first).map((name) => loadCommand[name]()))
  return Command.make("action-risk").pipe(
    Command.withDescription("Ask how risky an action is before an AI agent takes it"),
    Command.withSubcommands(loaded)
  )
}
