/** The schema of the document that each command prints with `--json`, by the words of the command. */

import type { Schema } from "effect"
import { assessSchema } from "../assess.ts"
import { toolsCheckSchema } from "../agents/toolsCommands.ts"
import { askSchema } from "../agents/ask.ts"
import { gapsSchema } from "../agents/gaps.ts"
import { codesSchema } from "../codes.ts"
import { agreeSchema } from "../agreement/agree.ts"
import { evidenceCheckpointSchema } from "../evidence/checkpoint.ts"
import { evidenceEraseSchema } from "../evidence/erase.ts"
import { evidenceExportSchema } from "../evidence/export.ts"
import { evidenceReplaySchema } from "../evidence/replay.ts"
import { evidenceVerifySchema } from "../evidence/verifyView.ts"
import { keysCreateSchema, keysListSchema, keysRevokeSchema } from "../keys.ts"
import { organizationSchema, orgsListSchema } from "../organizations.ts"
import { outcomesRecordSchema } from "../outcomes/record.ts"
import { outcomesReportSchema } from "../outcomes/report.ts"
import { reportSchema } from "../report/reportCommand.ts"
import { backtestSchema } from "../rules/backtestJson.ts"
import { checkSchema } from "../rules/check.ts"
import { diffSchema } from "../rules/diff.ts"
import { explainSchema } from "../rules/explain.ts"
import { factsSchema } from "../rules/facts.ts"
import { policiesListSchema, rulesListSchema } from "../rules/list.ts"
import { mutateSchema } from "../rules/mutate.ts"
import { proofSchema } from "../rules/proveNotLower.ts"
import { releaseSchema } from "../rules/release.ts"
import { policiesShowSchema, rulesShowSchema } from "../rules/show.ts"
import { suggestSchema } from "../suggest/suggest.ts"
import { testSchema } from "../rules/test.ts"
import { consoleLinkSchema } from "../service/consoleLink.ts"
import { migrateSchema } from "../service/migrate.ts"
import { serveSchema } from "../service/serve.ts"
import { statusSchema } from "../service/status.ts"
import { webhooksCreateSchema } from "../webhooks/create.ts"
import { webhooksListSchema } from "../webhooks/list.ts"
import { webhooksListenSchema } from "../webhooks/listen.ts"
import { webhooksRedeliverSchema, webhooksTestSchema } from "../webhooks/redeliver.ts"

/** docs/cli.md shows these types. A test checks that exactly the commands with `--json` are listed. */
export const jsonSchemas: Readonly<Record<string, Schema.Constraint>> = {
  serve: serveSchema,
  migrate: migrateSchema,
  status: statusSchema,
  "orgs create": organizationSchema,
  "orgs list": orgsListSchema,
  "orgs set-policies": organizationSchema,
  "keys create": keysCreateSchema,
  "keys list": keysListSchema,
  "keys revoke": keysRevokeSchema,
  "console link": consoleLinkSchema,
  codes: codesSchema,
  "rules check": checkSchema,
  "policies check": checkSchema,
  "rules prove-not-lower": proofSchema,
  "policies prove-not-lower": proofSchema,
  "rules release": releaseSchema,
  "policies release": releaseSchema,
  "rules diff": diffSchema,
  "policies diff": diffSchema,
  "rules backtest": backtestSchema,
  "policies backtest": backtestSchema,
  "rules report": reportSchema,
  "policies report": reportSchema,
  "evidence export": evidenceExportSchema,
  "evidence verify": evidenceVerifySchema,
  "evidence checkpoint": evidenceCheckpointSchema,
  "evidence replay": evidenceReplaySchema,
  "evidence erase": evidenceEraseSchema,
  "outcomes record": outcomesRecordSchema,
  "outcomes report": outcomesReportSchema,
  "rules facts": factsSchema,
  "rules list": rulesListSchema,
  "rules show": rulesShowSchema,
  "rules test": testSchema,
  "rules explain": explainSchema,
  "rules agree": agreeSchema,
  "rules mutate": mutateSchema,
  "policies list": policiesListSchema,
  "policies show": policiesShowSchema,
  "policies test": testSchema,
  "policies explain": explainSchema,
  "policies mutate": mutateSchema,
  "policies suggest": suggestSchema,
  "webhooks listen": webhooksListenSchema,
  "webhooks create": webhooksCreateSchema,
  "webhooks list": webhooksListSchema,
  "webhooks redeliver": webhooksRedeliverSchema,
  "webhooks test": webhooksTestSchema,
  assess: assessSchema,
  ask: askSchema,
  "tools check": toolsCheckSchema,
  "tools gaps": gapsSchema
}
