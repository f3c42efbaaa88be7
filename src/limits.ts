/** Section 8 of the specification, and every other limit of the service, as constants. */

export const bodyBytesMax = 65_536
export const jsonDepthMax = 32
export const actionTypeMax = 160
export const agentIdMax = 120
export const targetSystemMax = 80
export const targetResourceMax = 240
export const destinationMax = 240
export const actionDescriptionMax = 2_000
export const idempotencyKeyMax = 200
export const listLimitMax = 100
export const listLimitDefault = 25
export const searchMax = 120
/** Of the newest rows, how many a search looks at in turn before it asks the index, and up to how many where some matched. */
export const searchedFirstRows = 128
export const searchedOnRows = 8_000
/** Of an organization's newest rows, how many the index is asked about first. */
export const searchedStretch = 32_768
export const errorDetailsMax = 100
export const reviewNoteMax = 2_000
/** Assessments of a day up to which it is counted anew where a review takes one out; of a fuller one nothing is taken for familiar. */
export const recountedMax = 10_000

export const databaseConnectMs = 2_000
/** A pool's attempt to connect; while it lasts it takes the place of a connection, so it bounds recovery too. */
export const poolConnectMs = 1_000
/** Idle time after which the system probes a connection over the network. */
export const keepAliveProbeMs = 30_000
/** How long a statement may wait for a free connection. */
export const acquireMs = 500
/** PostgreSQL's own bound on a statement, and ours on its answer: a server that is gone enforces nothing. */
export const statementMs = 2_000
export const statementAnswerMs = 2_500
export const lockWaitMs = 1_500
/** When what nobody waits for is tried once more, give or take a fifth. */
export const backgroundRetryMs = 500
export const idleInTransactionMs = 5_000
export const migrationMs = 60_000
/** How long a migration waits for a table, and whoever wants that table behind it: longer than a statement of ours takes. */
export const migrationLockMs = 3_000
export const controlConnectionsMax = 4
export const liveConnectionsMax = 10
export const testConnectionsMax = 6
/** Connections per mode for lists, reviews and webhook endpoints, so that no assessment waits for one of theirs. */
export const resourceConnectionsMax = 3

/** PostgreSQL older than this lacks what the schema uses. */
export const postgresVersionMin = 15
export const initdbMs = 60_000
/** Recovery after a crash included. */
export const postgresStartMs = 60_000
/** How long a start waits for an earlier server of the same directory to be gone. */
export const postgresHandoverMs = 15_000
export const postgresStopMs = 20_000
export const serveLockMs = 1_000
/** The longest Unix socket path: 107 bytes on Linux, 103 on macOS. */
export const socketPathBytesMax = 103
/** Groups of `all` and `any` inside each other in one rule condition. */
export const conditionDepthMax = 5
/** One working file under `rules/` or `policies/`. */
export const ruleFileBytesMax = 1_048_576
/** Rules in one rule release or policy set. */
export const rulesPerSetMax = 200
/** A sentence, a name and a count in a rule file; beyond the last no scale goes, and below it every product stays exact. */
export const ruleSentenceMax = 1_000
export const ruleNameMax = 80
export const ruleCountMax = 1_000_000_000
/** Problems of one kind in one object of a rule file that are told; a file with more is something else. */
export const problemsShownMax = 100
/** Whole rule sets compared with the reference evaluator at load, besides every factor at each of its boundaries. */
export const verifiedSetsMax = 12

/** How often a running service looks for new policy versions; a change is served once two looks in a row see it. */
export const policyPollMs = 2_000

/** How long a behaviour snapshot may take before the assessment goes on without it, at its worst. */
export const behaviorReadMsMax = 150
/** An assessment still unscored this long after its receipt is answered incomplete. */
export const assessmentDeadlineMs = 1_000
/** How long one storage read, and one attempt to write, is waited for: behind a silent statement, and for one's own. */
export const storageReadMsMax = 700
export const storageWriteMsMax = 2_000
/** All storage waits of one request together: an outage is answered within 3 s. */
export const storageTotalMsMax = 2_800
/** How long a request waits for another one with its idempotency key. */
export const idempotencyWaitMsMax = 2_000
export const idempotencyMemoryHours = 24
/** Keys that a process expects an answer to be remembered of; of others it begins to assess while it looks them up. */
export const answeredKeysMax = 10_000
/** How often evidence that waits for its seal is looked for, and how much of it one transaction seals. */
export const sealEveryMs = 500
export const sealBatchMax = 1_000
/** Evidence that waits longer for its seal was not made as evidence is made, or nothing seals any more. */
export const sealLateMsMax = 60_000
/** Entries of an export that may stand before their place in the chain: it is ordered by time, the chain by commit. */
export const outOfOrderEntriesMax = 100_000
/** Assessments that a replay shows of those that did not come out equal; all are counted. */
export const replaysShown = 20
/** Assessments that one statement looks at for whether they are sealed. */
export const unsealedPageRows = 5_000
/** An assessment is erased this long after it was made at the earliest: by then no attempt to store it is under way. */
export const erasableAfterMs = 10_000
/** Assessments that one transaction erases, and one statement looks through for what is to be erased. */
export const eraseBatchMax = 500
export const erasureMs = 60_000
/** Assessments that an erasure names of those that it found; all are counted. */
export const erasuresShown = 20
/** Days that counts are kept where assessments are erased: more than the window of any release. */
export const countsKeptDays = 35
export const forgetCountsBatchMax = 10_000
/** A checkpoint and a public key are a few hundred bytes. */
export const checkpointBytesMax = 16_384
/** How often what waits for its seal is counted, and how far. */
export const sealsCountedEveryMs = 5_000
export const sealsCountedMax = 100_000
/** Expired idempotency keys are swept this often, at most so many at a time. */
export const idempotencySweepMinutes = 10
export const idempotencySweepKeysMax = 5_000
export const slowDrillMs = 2_000
/** Established destinations that are held of one organization, the most recently seen ones. */
export const establishedDestinationsMax = 20_000
/** Organizations whose past days are held, and how long before they are read again. */
export const baselineWindowsMax = 1_000
export const baselineWindowRefreshMs = 60_000
/** How often a snapshot's half that is behind the other is read again: twice reach where neither changes meanwhile. */
export const outdatedReadsMax = 3
/** Assessments that one statement writes, and questions that one statement reads, at most. */
export const writeBatchMax = 64
/** Requests that one statement counts against their limits, at most. */
export const countBatchMax = 1_000
export const readBatchMax = 32
/** Statements of one kind that are under way at once, per mode. */
export const readBatchesInFlightMax = 2
export const writeBatchesInFlightMax = 2
/** Those who wait for the next statement of one kind, at most: about a tenth of a second's work. One more is refused. */
export const batchQueueMax = 2_000
/** How often those who wait for a shared statement are looked at for whose patience is over. */
export const batchTimeoutCheckMs = 10
/** How long a statement that many wait for may be silent before it makes way; bounds the recovery after an outage. */
export const batchTimeoutMs = 1_000

/** What node:http may hold: header bytes and fields of one request, connections at once. */
export const headerBytesMax = 16_384
export const headerFieldsMax = 100
export const connectionsMax = 10_000
/** Requests with a valid key that are worked on at once; more would only wait for each other. Organizations share it. */
export const inFlightMax = 128
/** When to ask again after being refused for it. */
export const overloadRetrySeconds = 1
/** How long a client may take for its headers and for its whole request, and sit idle between two. */
export const headersMs = 10_000
export const requestMs = 20_000
export const keepAliveMs = 30_000
/** Every answer leaves within this time of its request's last byte, an error if need be. */
export const answerMs = 2_900
/** How often requests under way are looked at for whose answer is due. */
export const answerCheckMs = 20
/** Requests in flight may finish within this time of a stop. */
export const drainMs = 20_000
/** How long a refused client may take to read the refusal before its connection is cut. */
export const lingerMs = 1_000
/** A revocation takes effect everywhere within this time. */
export const keyCacheMs = 5_000
export const keyCacheMax = 10_000
/** Rate limits count in windows of this length, aligned to the clock. */
export const rateWindowMs = 60_000
/** Subjects counted exactly in one window; those beyond share counters, so that memory stays bounded. */
export const rateSubjectsMax = 100_000
export const rateSharedCounters = 65_536
/** How often the public status looks at the database, and how long it waits for it. */
export const statusRefreshMs = 5_000
export const statusProbeMs = 1_000

/** Before each attempt of a webhook but the first, after the one before it: Standard Webhooks' schedule, 75.6 h in all. */
export const webhookDelaysSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Each of them is lengthened or shortened by up to so much, so that what failed together is not sent together again. */
export const webhookJitterPercent = 10
/** The longest wait that a receiver's `retry-after` asks for with success. */
export const webhookRetryAfterSecondsMax = 86_400
/** Without a success for so long, an endpoint is disabled by its next failure. */
export const webhookFailingHoursMax = 120
/** A process that says nothing of an attempt for so long has died: another one makes it. Longer than any attempt takes. */
export const webhookLeaseMs = 30_000
/** What is in flight to one endpoint over all processes, and, once it has failed, until it succeeds. */
export const webhookInFlightMax = 5
export const webhookInFlightFailing = 1
/** Attempts under way in one process and mode, and how many one statement claims. */
export const webhookAttemptsMax = 512
export const webhookClaimBatchMax = 64
/** Endpoints that one claim looks at; the next claim goes on behind them. */
export const webhookClaimEndpointsMax = 500
/** How often the relay looks by itself for what is due, and how long one statement of it may wait for its turn. */
export const webhookPollMs = 500
/** After so many failures in a row an endpoint rests, and is then asked with one delivery at a time. */
export const webhookCircuitFailuresMax = 10
export const webhookCircuitOpenMs = 30_000
/** Endpoints whose rests one process remembers. */
export const webhookCircuitsMax = 2_000
/**
 * How long a delivery waits that we ourselves cannot make: its secret cannot be opened. Older than so many hours it is dead
 * instead: longer than the schedule with everything that lengthens it but a receiver's wish.
 */
export const webhookPostponedMs = 300_000
export const webhookPostponedHoursMax = 120
/** Risk factors that a payload names, strongest first: they are most of its at most 20 KB. */
export const webhookFactorsMax = 100
/** How long a stop waits for attempts under way before it gives them back. */
export const webhookDrainMs = 2_000
/** Connections of the relay, per mode, which nobody else uses. */
export const webhookConnectionsMax = 2
/** How often and how far waiting deliveries are counted, and when one that waits for nobody but us is late. */
export const webhooksCountedEveryMs = 5_000
export const webhooksCountedMax = 10_000
export const webhookLateSeconds = 60
/** How long deliveries that are over are kept, and how often and how many at once older ones are swept. */
export const webhookKeptDays = 30
export const webhookSweepMinutes = 10
export const webhookSweepBatchMax = 1_000

/** What `webhooks listen` takes of one delivery, which is under 20 KB, and the deliveries whose ids it remembers. */
export const receivedBytesMax = 65_536
export const receivedIdsMax = 10_000
/** Deliveries of one endpoint that an operator's list shows, and those that one `webhooks redeliver --failed` queues. */
export const deliveriesShownDefault = 20
export const deliveriesShownMax = 1_000
export const redeliveredMax = 1_000
/** How much of a text that somebody sent is shown in a terminal. */
export const shownTextMax = 200

/** A century: the longest duration an operator may give. */
export const durationMsMax = 36_500 * 86_400_000
/** How long a test key lives where the operator says nothing. */
export const testKeyExpiryMs = 30 * 86_400_000
export const organizationNameMax = 200

/** A score that takes longer is no opinion. */
export const scoringMsMax = 250
/** Words in front of a provider's own name that are looked behind: `mcp`, `tools`, the provider. */
export const nameWrappersMax = 4
/** Steps of an exact analysis of conditions; one that needs more says that it is undecided. */
export const analysisStepsMax = 50_000
/** The longest line of a history that is read, and how much of a history is read at once. */
export const historyLineBytesMax = 1_048_576
export const historyBlockBytes = 2_097_152
/** Blocks that are scored in the process itself before workers are worth their start, and each worker's blocks under way. */
export const historyBlocksAlone = 8
export const historyBlocksAhead = 2
/** More lines that cannot be read than this end a backtest: the file is then something else. */
export const historyUnreadableMax = 1_000
/** What a backtest keeps as a whole of falls, of movers and of lines that could not be read; all are counted. */
export const backtestFallsMax = 50
export const backtestMoversMax = 20
export const backtestUnreadableShown = 20
/** Distinct namings of actions whose words are remembered of one lexicon: while serving, and by each side of a backtest. */
export const cachedWordsMax = 4_096
/** Recorded policy versions that a backtest tells apart; those beyond are counted together. */
export const backtestPoliciesMax = 200
/** Threads that one backtest may use. */
export const backtestJobsMax = 64

/** A rule that lacks no more than this share of one threshold came near. */
export const nearMissPercentMax = 10
/** Situations that are tried to bring facts into a box; nearly all that can be found are found among the first few. */
export const realizeTriesMax = 400
/** Stored assessments that an export or a report reads at once: at most some 20 MB. */
export const evidencePageRows = 200
/** Situations that are made up to show one difference between two rulebooks. */
export const witnessRealizedMax = 120
/** So many percent of the mutants of a rule file must be killed where nobody asks for more or less. */
export const mutantsKilledPercentMin = 95
/** Steps of one proof; one that needs more says that it is undecided. Facts that come out lower are looked at up to so many. */
export const proofStepsMax = 20_000
export const proofLowerMax = 12
/** Requests that are scored where two lexicons differ. */
export const sampledRequestsMax = 10_000
/** Assessments that wait for the shadow release, and how many of them it takes at once; those beyond are not compared. */
export const shadowWaitingMax = 2_000
export const shadowBatchMax = 128
/** The shadow is in no hurry: it gathers for so long, so that it commits seldom beside those who are answered. */
export const shadowGatherMs = 200
/** A shadow that takes longer for one score holds everybody up: it is not counted as an opinion, and the shadow rests. */
export const shadowScoringMsMax = 100
export const shadowPauseMs = 1_000
/** How long a stop waits for what the shadow has yet to store. */
export const shadowDrainMs = 1_000
/** Readings that come out lower which are looked at. */
export const proofFallsMax = 3

export const webhookDescriptionMax = 240
/** Webhook endpoints of one organization in one mode. */
export const webhookEndpointsMax = 100
/** How long a secret signs beside the one that replaced it. */
export const webhookSecretOverlapHours = 24
/** Endpoints whose secrets are looked at together for the pepper that encrypts them. */
export const webhookSecretsBatchMax = 100
/** How long after a database that did not answer they are looked at again. */
export const webhookSecretsRetryMs = 60_000
/** A webhook's URL, as text and as it is requested. */
export const webhookUrlMax = 2_048
/** A receiver may take so long for name, connection and TLS together, and so long for everything. */
export const webhookConnectMs = 3_000
export const webhookTotalMs = 15_000
/** One question to a server of names, how often it is asked, and how many of a name's addresses are looked at. */
export const webhookResolveMs = 1_000
export const webhookResolveTries = 2
export const webhookAddressesMax = 8
/** Once a name has addresses of IPv4 or of IPv6, how long those of the other kind are waited for. */
export const webhookOtherKindMs = 300
/** How long an address may take to be connected to while there is another one to try. */
export const webhookAddressMs = 1_000
/** What is read of an answer: status and headers, and all that follows. */
export const webhookHeaderBytesMax = 16_384
export const webhookAnswerBytesMax = 65_536
