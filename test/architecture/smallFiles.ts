/** The files under 80 lines that stay apart from their only importer, each with its reason. */

const oneVerb = "a verb is loaded only where the command line names it"

export const smallFiles: Readonly<Record<string, string>> = {
  "src/cli/agents/ask.ts": oneVerb,
  "src/cli/codes.ts": oneVerb,
  "src/cli/outcomes/outcomeFiles.ts": oneVerb,
  "src/cli/service/consoleLink.ts": oneVerb,
  "src/cli/service/migrate.ts": oneVerb,
  "src/agents/nextStep.ts": "the one rule from an answer to a step, which its theorems are about",
  "src/agents/jsonMembers.ts": "how a text is taken apart, beside what the parts of a call mean",
  "src/agents/mcp/eventStream.ts":
    "the format of an answer, apart from what is asked and what an answer means",
  "src/agents/hook/askedCalls.ts":
    "what two runs of the hook hand each other, apart from what each of them does",
  "src/local/opinionsFile.ts": "how processes share a file, apart from what is written there",
  "src/cli/agents/mcpServe.ts":
    "one of the two transports of mcpTools.ts, whose other one is a listener of the service",
  "src/cli/run.ts": "main.ts loads it only after it has set up V8 and the compile cache",
  "src/cli/service/telemetryExport.ts": "loaded only where an OTLP endpoint is set",
  "src/api/codeEnumerations.ts":
    "the enumerations of codes belong to the contract, and only the document that states it adds them",
  "src/server/pages/codesPage.ts": "one page for each of the documents that people read",
  "src/server/pages/errorsPage.ts": "one page for each of the documents that people read",
  "src/api/examples/outcomeExamples.ts":
    "examples of one group of the contract, as explanationExamples.ts has those of another",
  "src/server/handlers/outcomes.ts": "one handler file for each group of the contract",
  "src/api/Events.ts": "one file for each group of the contract",
  "src/server/handlers/actions.ts": "one handler file for each group of the contract",
  "src/server/handlers/reviews.ts": "one handler file for each group of the contract",
  "src/console/pages/signInPage.ts": "one file for each screen of the console",
  "src/console/suggestionScreen.ts": "one file for the work behind each screen of the console",
  "src/rules/explain/knowledgeLines.ts":
    "where a line of knowledge is in the rule files, apart from the view of an answer that names it",
  "src/rules/library/libraryWorker.ts": "a thread starts from a file of its own",
  "src/evidence/reviewedCalls.ts":
    "what is stored is read in evidence, and a command only says what it means",
  "src/evidence/recorded/olderReleases.ts":
    "the thread of older releases and who may ask it, apart from what is found in the database",
  "src/evidence/recorded/olderReleasesWorker.ts": "a thread starts from a file of its own",
  "src/cli/batch/batchWorker.ts": "a thread starts from a file of its own"
}
