/** The command tree of `action-risk`: whole, or only as far as a command line needs it. */

import { Command } from "effect/cli"

/** In the order of the help. Apart, since a third of all modules is what `serve` would load and keep and never use. */
const loadCommand = {
  serve: async () => (await import("./service/serve.ts")).serve,
  migrate: async () => (await import("./service/migrate.ts")).migrateDatabase,
  status: async () => (await import("./service/status.ts")).status,
  orgs: async () => (await import("./organizations.ts")).orgsCommand,
  keys: async () => (await import("./keys.ts")).keysCommand,
  assess: async () => (await import("./assess.ts")).assess,
  demo: async () => (await import("./service/demo.ts")).demo,
  rules: async () => (await import("./rules/rulesCommands.ts")).rulesCommand,
  policies: async () => (await import("./rules/rulesCommands.ts")).policiesCommand,
  evidence: async () => (await import("./evidence/evidenceCommands.ts")).evidenceCommand,
  webhooks: async () => (await import("./webhooks/webhooksCommands.ts")).webhooksCommand
}

type Name = keyof typeof loadCommand

const names = Object.keys(loadCommand) as ReadonlyArray<Name>

/** Of the command that a command line starts with alone; one that starts otherwise, with a flag or a slip, is about all. */
export const commandTree = async (first?: string) => {
  const named = names.filter((name) => name === first)
  const loaded = await Promise.all((named.length === 0 ? names : named).map((name) => loadCommand[name]()))
  return Command.make("action-risk").pipe(
    Command.withDescription("Ask how risky an action is before an AI agent takes it"),
    Command.withSubcommands(loaded)
  )
}
