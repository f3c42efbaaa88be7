/** The command tree of `action-risk`: the whole tree, or only the verb named on the command line. */

import { Command } from "effect/cli"
import type { Noun } from "./rules/subject.ts"
import type { verb } from "./verb.ts"

type MakeVerb = ReturnType<typeof verb>
type Load = () => Promise<MakeVerb>

type Verbs = Readonly<Record<string, Load>>

/** Verbs that share a first word. */
interface Group {
  readonly about: string
  readonly verbs: Verbs
}

/** The verbs that exist for both rules and policies. */
const tested = (noun: Noun): Verbs => ({
  check: async () => (await import("./rules/check.ts")).checkVerb(noun),
  test: async () => (await import("./rules/test.ts")).testVerb(noun),
  explain: async () => (await import("./rules/explain.ts")).explainVerb(noun)
})
const compared = (noun: Noun): Verbs => ({
  diff: async () => (await import("./rules/diff.ts")).diffVerb(noun),
  mutate: async () => (await import("./rules/mutate.ts")).mutateVerb(noun),
  "prove-not-lower": async () => (await import("./rules/proveNotLower.ts")).proveNotLowerVerb(noun),
  backtest: async () => (await import("./rules/backtest.ts")).backtestVerb(noun),
  report: async () => (await import("./report/reportCommand.ts")).reportVerb(noun),
  release: async () => (await import("./rules/release.ts")).releaseVerb(noun)
})

/** In the order of the help. Each verb is loaded only when it is named; otherwise `serve` would load a third of all modules for nothing. */
const tree: Readonly<Record<string, Load | Group>> = {
  serve: async () => (await import("./service/serve.ts")).serve,
  migrate: async () => (await import("./service/migrate.ts")).migrateDatabase,
  status: async () => (await import("./service/status.ts")).status,
  "verify-install": async () => (await import("./verifyInstall.ts")).verifyInstall,
  orgs: {
    about: "Create and list organizations, and change their policy sets",
    verbs: {
      create: async () => (await import("./service/organizations.ts")).createOrganization,
      list: async () => (await import("./service/organizations.ts")).listOrganizations,
      "set-policies": async () => (await import("./service/organizations.ts")).setPolicies
    }
  },
  keys: {
    about: "Create, list and revoke API keys",
    verbs: {
      create: async () => (await import("./service/keys.ts")).createKey,
      list: async () => (await import("./service/keys.ts")).listKeys,
      revoke: async () => (await import("./service/keys.ts")).revokeKey
    }
  },
  console: {
    about: "Sign people in to the console, the pages for reviewers and analysts",
    verbs: { link: async () => (await import("./service/consoleLink.ts")).consoleLink }
  },
  assess: async () => (await import("./assess.ts")).assess,
  ask: async () => (await import("./agents/ask.ts")).ask,
  tools: {
    about: "Create and check the files that describe an agent's tools",
    verbs: {
      scaffold: async () => (await import("./agents/toolsCommands.ts")).scaffold,
      check: async () => (await import("./agents/toolsCommands.ts")).checkTools,
      gaps: async () => (await import("./agents/gaps.ts")).gaps
    }
  },
  mcp: {
    about: "Offer the service to agents by the Model Context Protocol",
    verbs: { serve: async () => (await import("./agents/mcpServe.ts")).serveMcp }
  },
  demo: async () => (await import("./service/demo.ts")).demo,
  codes: async () => (await import("./codes.ts")).listCodes,
  rules: {
    about: "Read, check, compare and release the rule files",
    verbs: {
      facts: async () => (await import("./rules/facts.ts")).listFacts,
      list: async () => (await import("./rules/list.ts")).listRules,
      show: async () => (await import("./rules/show.ts")).showRule,
      ...tested("rules"),
      agree: async () => (await import("./rules/agree.ts")).agree,
      ...compared("rules")
    }
  },
  policies: {
    about: "Read, check, compare and release the policy sets",
    verbs: {
      list: async () => (await import("./rules/list.ts")).listPolicies,
      show: async () => (await import("./rules/show.ts")).showPolicy,
      ...tested("policies"),
      suggest: async () => (await import("./rules/suggest.ts")).suggest,
      ...compared("policies")
    }
  },
  evidence: {
    about: "Export stored assessments with their evidence, and verify that nothing was changed",
    verbs: {
      export: async () => (await import("./evidence/export.ts")).exportEvidenceVerb,
      verify: async () => (await import("./evidence/verify.ts")).verify,
      checkpoint: async () => (await import("./evidence/checkpoint.ts")).checkpoint,
      "public-key": async () => (await import("./evidence/checkpoint.ts")).publicKey,
      replay: async () => (await import("./evidence/replay.ts")).replay,
      erase: async () => (await import("./evidence/erase.ts")).erase
    }
  },
  outcomes: {
    about: "Record the outcomes of assessed actions, and compare the answers with them",
    verbs: {
      record: async () => (await import("./outcomes/record.ts")).recordOutcome,
      report: async () => (await import("./outcomes/report.ts")).reportOutcomes,
      labels: async () => (await import("./outcomes/outcomeFiles.ts")).labels,
      export: async () => (await import("./outcomes/outcomeFiles.ts")).exportOutcomeEvents
    }
  },
  webhooks: {
    about: "Create endpoints, receive webhooks on this machine, and list and resend deliveries",
    verbs: {
      create: async () => (await import("./webhooks/create.ts")).createWebhook,
      listen: async () => (await import("./webhooks/listen.ts")).listenForWebhooks,
      list: async () => (await import("./webhooks/list.ts")).listWebhooks,
      redeliver: async () => (await import("./webhooks/redeliver.ts")).redeliver,
      test: async () => (await import("./webhooks/redeliver.ts")).testWebhook
    }
  }
}

/** The entry named by `word`, or all entries if it names none. */
const namedBy = <A>(word: string | undefined, entries: Readonly<Record<string, A>>) => {
  const all = Object.entries(entries)
  const named = all.filter(([name]) => name === word)
  return named.length === 0 ? all : named
}

const nounCommand = async (name: string, { about, verbs }: Group, second: string | undefined) => {
  const loaded = await Promise.all(
    namedBy(second, verbs).map(async ([each, load]) => (await load())(`${name} ${each}`))
  )
  return Command.make(name).pipe(Command.withDescription(about), Command.withSubcommands(loaded))
}

/** `first` and `second`: the first words of the command line. If they name no verb, as in help and typing errors, more is loaded. */
export const commandTree = async (first?: string, second?: string) => {
  const needed = first === "--version" ? [] : namedBy(first, tree)
  const commands = await Promise.all(
    needed.map(async ([name, entry]) =>
      typeof entry === "function" ? (await entry())(name) : nounCommand(name, entry, second)
    )
  )
  return Command.make("action-risk").pipe(
    Command.withDescription("Ask how risky an action is before an AI agent takes it"),
    Command.withSubcommands(commands)
  )
}
