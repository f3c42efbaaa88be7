/** The command tree of `action-risk`: whole, or only as far as a command line needs it. */

import { Command } from "effect/cli"

/** In the order of the help. Apart, since a third of all modules is what `serve` would load and keep and never use. */
const commands = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  migrate: async () => (await import("./commands/migrate.ts")).migrateDatabase,
  status: async () => (await import("./commands/status.ts")).status,
  orgs: async () => (await import("./commands/orgs.ts")).orgs,
  keys: async () => (await import("./commands/keys.ts")).keys,
  assess: async () => (await import("./commands/assess.ts")).assess,
  demo: async () => (await import("./commands/demo.ts")).demo,
  rules: async () => (await import("./commands/rules.ts")).rules,
  policies: async () => (await import("./commands/policies.ts")).policies,
  evidence: async () => (await import("./commands/evidence.ts")).evidence,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks
}

type Name = keyof typeof commands

const names = Object.keys(commands) as ReadonlyArray<Name>

/** Of the command that a command line starts with alone; one that starts otherwise, with a flag or a slip, is about all. */
export const commandTree = async (first?: string) => {
  const named = names.filter((name) => name === first)
  const loaded = await Promise.all((named.length === 0 ? names : named).map((name) => commands[name]()))
  return Command.make("action-risk").pipe(
    Command.withDescription("Ask how risky an action is before an AI agent takes it"),
    Command.withSubcommands(loaded)
  )
}
