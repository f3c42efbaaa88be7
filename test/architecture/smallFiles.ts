/** The files under 80 lines that stay apart from their only importer, each with its reason. */

export const smallFiles: Readonly<Record<string, string>> = {
  "src/cli/run.ts": "main.ts loads it only after it has set up V8 and the compile cache",
  "src/cli/evidence/evidenceCommands.ts": "loaded only for a command line that starts with `evidence`",
  "src/cli/rules/rulesCommands.ts": "loaded only for a command line that starts with `rules`",
  "src/cli/webhooks/webhooksCommands.ts": "loaded only for a command line that starts with `webhooks`",
  "src/cli/service/telemetryExport.ts": "loaded only where an OTLP endpoint is set",
  "src/server/handlers/reviews.ts": "one handler file for each group of the contract"
}
