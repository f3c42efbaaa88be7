/** The environment variables that each command listens to, beyond those of logs and colours; none where it has no line. */

const all = "every variable of README.md"
const database = "`DATABASE_URL`, `DATA_DIR` and, with a database of your own, `KEY_PEPPER`"
const historyInDatabase = `with \`--history database\`: ${database}`

export const settings: Readonly<Record<string, string>> = {
  serve: all,
  migrate: "`DATABASE_URL`, `DATA_DIR`",
  status: "`DATABASE_URL`, `DATA_DIR`, and `HOST`, `PORT` or `PUBLIC_URL` to find the server",
  "orgs create": database,
  "orgs list": database,
  "orgs set-policies": database,
  "keys create": database,
  "keys list": database,
  "keys revoke": database,
  "evidence export": database,
  "evidence verify": `of a database: ${database}; with \`--checkpoint\` and without \`--public-key\`, \`EVIDENCE_KEY\` too`,
  "evidence checkpoint": `${database} and \`EVIDENCE_KEY\``,
  "evidence replay": database,
  "evidence public-key": "`EVIDENCE_KEY`, `DATA_DIR`",
  "webhooks listen": "`WEBHOOK_SECRET`",
  "webhooks list": database,
  "webhooks redeliver": database,
  "webhooks test": database,
  assess: "`RULES_VERSION`, `RULE_ENGINE`",
  "rules explain": "`RULES_VERSION`",
  "policies explain": "`RULES_VERSION`",
  "policies test": "`RULES_VERSION`",
  "policies mutate": "`RULES_VERSION`",
  "rules backtest": historyInDatabase,
  "policies backtest": historyInDatabase,
  "rules report": historyInDatabase,
  "policies report": historyInDatabase,
  "rules shadow-report": database
}
