/** The one JSON document that each command prints under `--json`, by the words of the command. */

import type { Schema } from "effect"
import { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { backtestShape } from "./shapes/backtest.ts"
import { diffShape } from "./shapes/diff.ts"
import { evidenceCheckpointShape } from "./shapes/evidence/checkpoint.ts"
import { evidenceEraseShape } from "./shapes/evidence/erase.ts"
import { evidenceExportShape } from "./shapes/evidence/export.ts"
import { evidenceReplayShape } from "./shapes/evidence/replay.ts"
import { evidenceVerifyShape } from "./shapes/evidence/verify.ts"
import { keysCreateShape } from "./shapes/keys/create.ts"
import { keysListShape } from "./shapes/keys/list.ts"
import { keysRevokeShape } from "./shapes/keys/revoke.ts"
import { migrateShape } from "./shapes/migrate.ts"
import { organizationShape } from "./shapes/organization.ts"
import { orgsListShape } from "./shapes/orgs/list.ts"
import { proofShape } from "./shapes/proof.ts"
import { releaseShape } from "./shapes/release.ts"
import { reportShape } from "./shapes/report.ts"
import { checkShape } from "./shapes/rules/check.ts"
import { factsShape } from "./shapes/rules/facts.ts"
import { rulesListShape } from "./shapes/rules/list.ts"
import { rulesShowShape } from "./shapes/rules/show.ts"
import { testShape } from "./shapes/rules/test.ts"
import { explainShape } from "./shapes/rules/explain.ts"
import { mutateShape } from "./shapes/rules/mutate.ts"
import { policiesListShape } from "./shapes/policies/list.ts"
import { policiesShowShape } from "./shapes/policies/show.ts"
import { shadowReportShape } from "./shapes/rules/shadowReport.ts"
import { serveShape } from "./shapes/serve.ts"
import { statusShape } from "./shapes/status.ts"
import { webhooksListShape } from "./shapes/webhooks/list.ts"
import { webhooksListenShape } from "./shapes/webhooks/listen.ts"
import { webhooksRedeliverShape } from "./shapes/webhooks/redeliver.ts"
import { webhooksTestShape } from "./shapes/webhooks/test.ts"

/** docs/cli.md is made from this, and a test compares it with the tree: every command with `--json` has a line. */
export const shapes: Readonly<Record<string, Schema.Constraint>> = {
  serve: serveShape,
  migrate: migrateShape,
  status: statusShape,
  "orgs create": organizationShape,
  "orgs list": orgsListShape,
  "orgs set-policies": organizationShape,
  "keys create": keysCreateShape,
  "keys list": keysListShape,
  "keys revoke": keysRevokeShape,
  "rules check": checkShape,
  "policies check": checkShape,
  "rules prove-not-lower": proofShape,
  "policies prove-not-lower": proofShape,
  "rules release": releaseShape,
  "policies release": releaseShape,
  "rules diff": diffShape,
  "policies diff": diffShape,
  "rules backtest": backtestShape,
  "rules shadow-report": shadowReportShape,
  "policies backtest": backtestShape,
  "rules report": reportShape,
  "policies report": reportShape,
  "evidence export": evidenceExportShape,
  "evidence verify": evidenceVerifyShape,
  "evidence checkpoint": evidenceCheckpointShape,
  "evidence replay": evidenceReplayShape,
  "evidence erase": evidenceEraseShape,
  "rules facts": factsShape,
  "rules list": rulesListShape,
  "rules show": rulesShowShape,
  "rules test": testShape,
  "rules explain": explainShape,
  "rules mutate": mutateShape,
  "policies list": policiesListShape,
  "policies show": policiesShowShape,
  "policies test": testShape,
  "policies explain": explainShape,
  "policies mutate": mutateShape,
  "webhooks listen": webhooksListenShape,
  "webhooks list": webhooksListShape,
  "webhooks redeliver": webhooksRedeliverShape,
  "webhooks test": webhooksTestShape,
  assess: AssessmentResponse
}
