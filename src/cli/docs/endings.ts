/** When each command ends with 1 although nothing is wrong with how it was called. */

export const endings: Readonly<Record<string, string>> = {
  serve: "a setting is wrong, the port is taken, or another process serves this data directory",
  migrate: "the database is away or too old",
  status: "there is no database to read",
  "orgs create": "the organization exists already, or there is no such policy set",
  "orgs list": "the database is away",
  "orgs set-policies": "there is no such organization, or no such policy set",
  "keys create": "there is no such organization",
  "keys list": "there is no such organization",
  "keys revoke": "there is no such key",
  "rules check": "there are findings",
  "policies check": "there are findings",
  "rules prove-not-lower": "a request scores lower, or it could not be decided",
  "policies prove-not-lower": "a request scores lower, or it could not be decided",
  "rules release": "a gate is not passed, and nothing was released",
  "policies release": "a gate is not passed, and nothing was released",
  "rules backtest": "a level fell, a line cannot be read, or the file is no history",
  "rules shadow-report": "the database is away, or there is no such organization",
  "policies backtest": "a level fell, a line cannot be read, or the file is no history",
  "rules diff": "the rules cannot be read; whatever it finds, it ends with 0",
  "policies diff": "the policies cannot be read; whatever it finds, it ends with 0",
  "rules report":
    "the rules, the history or the file cannot be read or written; whatever the report says, it ends with 0",
  "policies report":
    "the policies, the history or the file cannot be read or written; whatever the report says, it ends with 0",
  "evidence export": "there is no such organization, or the file cannot be written",
  "evidence verify":
    "a row is broken, a checkpoint was not signed by the key or contradicts the chain, or nothing can be read",
  "evidence checkpoint":
    "there is no such organization, nothing of it is sealed yet, or the file cannot be written",
  "evidence public-key": "the key cannot be read",
  "evidence replay":
    "an answer came out otherwise or cannot be computed again, or there is no such assessment",
  "webhooks listen": "the port is taken",
  "webhooks list": "there is no such organization or endpoint",
  "webhooks redeliver": "there is no such organization, endpoint or delivery, or the endpoint is disabled",
  "webhooks test": "there is no such organization or endpoint, or the endpoint is disabled",
  "evidence erase":
    "there is no such organization or assessment, or some are too new: those are erased by the same command ten seconds later",
  "rules facts": "the rule files cannot be used",
  "rules list": "the rule files cannot be used",
  "rules show": "the rule files cannot be used",
  "rules test": "a case fails, there are no cases, or with `--coverage` something is not reached",
  "rules explain": "the request or the history cannot be read or is not valid",
  "rules mutate": "fewer mutants are killed than `--min` says, or a case fails without any change",
  "policies list": "the folder of the policy sets cannot be read",
  "policies show": "the files of the set cannot be used",
  "policies test": "a case fails, there are no cases, or with `--coverage` something is not reached",
  "policies explain": "the request or the history cannot be read or is not valid, or the set cannot be used",
  "policies mutate": "fewer mutants are killed than `--min` says, or a case fails without any change",
  assess: "the request or the history cannot be read or is not valid",
  demo: "the service could not be started"
}
