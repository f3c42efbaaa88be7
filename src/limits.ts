/** The limits of the service as constants: section 8 of the specification, and all others. */

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
/**
 * A search reads this many of the newest rows before it uses the index, and more rows, up to the second number, if
 * some of them matched, and up to the third, if the index does not know them yet.
 */
export const searchedFirstRows = 64
export const searchedOnRows = 1_024
export const searchedInTurnMax = 8_192
/** Assessments of an organization that the index of searches keeps apart from earlier and later ones. A span may exceed it by a batch. */
export const searchSpanRows = 16_384
/** Assessments that one transaction puts into that index, and how long such transactions follow each other. */
export const searchBatchMax = 1_000
export const searchRoundMs = 250
/** Bytes of texts of one such transaction, at first, at least and at most: they double after a fast one, and halve after one that took longer than this. */
export const searchBatchBytes = { first: 65_536, least: 16_384, most: 1_048_576 }
export const searchBatchMs = 150
export const errorDetailsMax = 100
export const reviewNoteMax = 2_000
/**
 * Outcome events of one assessment, by keys that can ask, and by keys that cannot: apart, so that neither takes the places of
 * the other. An event that raises or restores the sums of 24 hours has a place beyond these.
 */
export const outcomeAskersEventsMax = 20
export const outcomeIndependentEventsMax = 80
/**
 * For either kind of keys. While an assessment has fewer events, a raise counts exactly; after that it counts as at least a
 * doubling. A figure doubles at most 53 times, so an assessment never has more events than a list shows.
 */
export const outcomeExactEventsMax = 100
export const outcomeEventsListedMax = 1_000
/** How many assessments a report of outcomes names. */
export const reportedHarmsMax = 100
/**
 * A review that takes an assessment out of a day recounts a day of up to this many assessments. On a day with more,
 * nothing counts as familiar any more.
 */
export const recountedMax = 10_000

/** How long a start or a command tries to connect. A busy server takes longer than an idle one; a missing server fails at once. */
export const databaseConnectMs = 10_000
/** How long a start or a command waits for a server that reports that it is starting: after a crash it first reads its log again. */
export const databaseStartMs = 60_000
/**
 * How long a pool may try to open one connection. The attempt holds a place in the pool, so a long one delays the recovery
 * after an outage.
 */
export const poolConnectMs = 1_000
/** The servers that one DATABASE_URL may name: a primary and its standbys. */
export const databaseServersMax = 8
/** The least time between two searches for the server that takes writes. A search opens one connection to each. */
export const primarySearchMs = 500
/** Idle time after which the system probes a connection over the network. */
export const keepAliveProbeMs = 30_000
/** How long a statement may wait for a free connection. */
export const acquireMs = 500
/**
 * The first is PostgreSQL's bound on a statement. The second is the service's own bound, because a server that is
 * gone enforces no bound.
 */
export const statementMs = 2_000
export const statementAnswerMs = 2_500
export const lockWaitMs = 1_500
/** How long before failed background work is tried once more, give or take a fifth. */
export const backgroundRetryMs = 500
export const idleInTransactionMs = 5_000
export const migrationMs = 60_000
/**
 * How long a migration waits for the lock on a table, while later statements on that table wait behind it. Longer
 * than any statement of the service takes.
 */
export const migrationLockMs = 3_000
export const controlConnectionsMax = 4
export const liveConnectionsMax = 10
export const testConnectionsMax = 6
/** The groups of a distributed database, which has no use for more servers. Invariant: a database keeps the number that it was made with. */
export const organizationGroups = 16
/** Connections of each pool per group of a distributed database. */
export const groupConnectionsMin = 2
/**
 * How many searches use the database at once, per mode, and how many searches together with requests for reviews and webhook endpoints.
 * One organization may use one fewer. Searches take long, and never hold all connections.
 */
export const searchStatementsMax = 3
export const resourceTurnsMax = 4
/** Searches of one organization that share a statement while such statements take no longer than that. */
export const searchesTogetherMax = 8
export const searchesTogetherMs = 50
/** How many statements wait for a turn; one organization gets its even share. Each waits for `acquireMs`. */
export const turnsWaitingMax = 64
/** Connections per mode for the statements above and for lists. Assessments have their own, so none waits for these. */
export const resourceConnectionsMax = 6

/** The oldest major version of PostgreSQL that has the features the schema uses. */
export const postgresVersionMin = 15
export const initdbMs = 60_000
/** How long the making of the server's account may take: longer than it waits for the lock on the machine's accounts. */
export const useraddMs = 20_000
/** Recovery after a crash included. */
export const postgresStartMs = 60_000
/** How long a start waits for an earlier server of the same directory to end. */
export const postgresHandoverMs = 15_000
export const postgresStopMs = 20_000
export const serveLockMs = 1_000
/** The longest Unix socket path: 107 bytes on Linux, 103 on macOS. */
export const socketPathBytesMax = 103
/** Nested groups of `all` and `any` in one rule condition. */
export const conditionDepthMax = 5
/** The size of one working file under `rules/` or `policies/`. */
export const ruleFileBytesMax = 1_048_576
/** Compiled files in the cache: some releases, and the files that were edited last. */
export const compiledFilesMax = 24
/** Rules in one rule release or policy set. */
export const rulesPerSetMax = 200
/**
 * The length of a sentence and of a name, and the largest count, in a rule file. Products of counts up to this one
 * stay exact, and no scale goes beyond it.
 */
export const ruleSentenceMax = 1_000
export const ruleNameMax = 80
export const ruleCountMax = 1_000_000_000
/** Problems of one kind in one object of a rule file that are reported. A file with more problems is probably no rule file. */
export const problemsShownMax = 100
/**
 * Records of facts for which a load compares the whole rule set with the reference evaluator. It also compares
 * every factor at each of its boundaries.
 */
export const verifiedSetsMax = 12

/** How often a running service looks for new policy versions. It serves a change after two checks in a row have seen it. */
export const policyPollMs = 2_000

/** How long a behaviour snapshot may take. After that the assessment continues without it and assumes the worst history. */
export const behaviorReadMsMax = 150
/** An assessment that is not scored this long after its receipt is answered as incomplete. */
export const assessmentDeadlineMs = 1_000
/** How long a request waits for one storage read and for one attempt to write, including the wait behind another statement. */
export const storageReadMsMax = 700
export const storageWriteMsMax = 2_000
/** The storage waits of one request together, so that an outage is answered within 3 s. */
export const storageTotalMsMax = 2_800
/** How long a request waits for another request with the same idempotency key. */
export const idempotencyWaitMsMax = 2_000
export const idempotencyMemoryHours = 24
/** Idempotency keys that a process knows to have an answer. Another key is looked up together with the history. */
export const answeredKeysMax = 10_000
/** How often the service looks for unsealed evidence, and how many entries one transaction seals. */
export const sealEveryMs = 500
export const sealBatchMax = 1_000
/** Assessments whose facets one transaction makes. */
export const facetsBatchMax = 1_000
/** Organizations whose seals one transaction follows. */
export const followedAtOnce = 64
/** How often all organizations are searched for seals that no process followed, because the one that sealed was stopped. */
export const sealsFollowedEveryMs = 60_000
/** How many names of agents, of actions and of factors a day counts separately. Further ones are counted together. */
export const facetNamesPerDayMax = 1_000
/** Rows that one page of a filtered list looks at, and the same where each match is searched for a text too. A page may end early, with a cursor. */
export const facetsLookedMax = 200_000
export const facetsSearchedMax = 4_000
/** Rows that the first step of such a page looks at, and by how much the next steps grow. */
export const facetsFirstStep = 256
export const facetsStepFactor = 8
/** Days with a possible match that one page of a filtered list goes through. */
export const facetDaysMax = 64
/** Days of one request for statistics, and the agents, actions or factors that it tells apart, most frequent first. */
export const statisticsDaysMax = 366
export const statisticsNamesMax = 100
/** Evidence that is unsealed for longer was not written by the service, or no process seals any more. */
export const sealLateMsMax = 60_000
/** Entries of an export that may come before their position in the chain: time orders an export, commits order the chain. */
export const outOfOrderEntriesMax = 100_000
/** Assessments with another result that a replay shows. It counts all of them. */
export const replaysShown = 20
/** Assessments that one statement checks for a missing seal. */
export const unsealedPageRows = 5_000
/** An assessment is at least this old when it is erased: by then no attempt to store it is in progress. */
export const erasableAfterMs = 10_000
/** Assessments that one transaction erases, and that one statement searches for those to erase. */
export const eraseBatchMax = 500
export const erasureMs = 60_000
/** How often a page of candidates is read again, or a group erased again, where the database took too long or a lock was held. */
export const erasureRetries = 4
/** Erased assessments that an erasure names. It counts all of them. */
export const erasuresShown = 20
/** Days for which behaviour counts are kept when assessments are erased: more than the window of any release. */
export const countsKeptDays = 35
export const forgetCountsBatchMax = 10_000
/** A checkpoint and a public key are a few hundred bytes. */
export const checkpointBytesMax = 16_384
/** How often unsealed entries are counted for the metrics, and up to how many. */
export const sealsCountedEveryMs = 5_000
export const sealsCountedMax = 100_000
/** How often expired idempotency keys are deleted, and how many at a time. */
export const idempotencySweepMinutes = 10
export const idempotencySweepKeysMax = 5_000
export const slowDrillMs = 2_000
/** Established destinations per organization that are held in memory: the most recently seen ones. */
export const establishedDestinationsMax = 20_000
/** Sightings of destinations that one statement reads: a fraction of a second's work, as many rows as a quiet organization has. */
export const sightingsPageRows = 20_000
/** Characters of established destinations that are prepared for comparing before other work gets a turn. */
export const preparedUnitsMax = 20_000
/** Agents of an organization whose own usual pace is known: those with most hours. For the others, the pace of all agents counts. */
export const agentPacesMax = 5_000
/** Organizations whose past days are held in memory, and how long until they are read again. */
export const baselineWindowsMax = 1_000
export const baselineWindowRefreshMs = 60_000
/** Memory of these pasts together, per mode, and what a name in them takes: 500 organizations with 1,000 destinations, 5 with all. */
export const baselineBytesMax = 128 * 1024 * 1024
export const baselineBytesPerName = 300
export const baselineBytesPerCharacter = 4
/** How often a snapshot reads its window or today again, whichever is older. Two reads suffice if neither changes in between. */
export const outdatedReadsMax = 3
/** Assessments that one statement writes. */
export const writeBatchMax = 64
/** Requests that one statement counts against their rate limits. */
export const countBatchMax = 1_000
export const readBatchMax = 32
/** Statements of one kind that run at once, per mode. */
export const readBatchesInFlightMax = 2
export const writeBatchesInFlightMax = 2
/** Items that wait for the next statement of one kind: about a tenth of a second's work. One more item is rejected. */
export const batchQueueMax = 2_000
/** How often the items that wait for a shared statement are checked for their timeouts. */
export const batchTimeoutCheckMs = 10
/**
 * After this time without an answer, a statement that many requests share is cancelled and the next one starts. So the
 * service recovers soon after an outage.
 */
export const batchTimeoutMs = 1_000

/** The bounds of node:http: header bytes and header fields of one request, and connections at once. */
export const headerBytesMax = 16_384
export const headerFieldsMax = 100
export const connectionsMax = 10_000
/**
 * Connections of one client address at once: a tenth of all. Behind a trusted proxy, requests of one forwarded address. An
 * IPv6 address counts by its /64.
 */
export const heldPerAddressMax = 1_000
/** Requests that a connection may send ahead while one of it is worked on. One more closes it. */
export const pipelinedRequestsMax = 100
/** Requests with a valid key that are worked on at once, over all organizations. More would only wait for each other. */
export const inFlightMax = 128
/** The `retry-after` of a request that gets no permit for `inFlightMax`. */
export const overloadRetrySeconds = 1
/** How long a client may take for its headers and for its whole request, and how long a connection may be idle between requests. */
export const headersMs = 10_000
export const requestMs = 20_000
export const keepAliveMs = 30_000
/** Every response is sent within this time of the request's last byte; after that it is an error. */
export const answerMs = 2_900
/** How often active requests are checked for an exceeded `answerMs`. */
export const answerCheckMs = 20
/** How long active requests may take after a stop was asked for. */
export const drainMs = 20_000
/** How long idle connections stay open after a stop was asked for. */
export const drainIdleMs = 1_000
/** How long a client whose body is not read may take to read the response before its connection is closed. */
export const lingerMs = 1_000
/** A revocation takes effect everywhere within this time. */
export const keyCacheMs = 5_000
export const keyCacheMax = 10_000
/** How long a client whose address has used up its window waits for each refusal. */
export const addressRefusalMs = 200
/** Look-ups under way of keys that this process did not know as valid. One more is refused. One statement answers many. */
export const keyLookupsMax = 512
export const keyLookupBatchMax = 256
/** A fault that many requests meet at once is logged this often. */
export const faultLogMs = 1_000
/** Rate limits count in windows of this length, aligned to the clock. */
export const rateWindowMs = 60_000
/** Subjects that are counted exactly in one window. Further subjects share counters, so that memory stays bounded. */
export const rateSubjectsMax = 100_000
export const rateSharedCounters = 65_536
/** How often the public status probes the database, and the answer time above which it calls the database degraded. */
export const statusRefreshMs = 5_000
export const statusProbeMs = 1_000
/** How many assessments in a row that cannot be stored make the public status say so, and for how long after the last of them. */
export const failedWritesMin = 5
export const failedWritesMs = 60_000

/** How often listeners get new events, and how many at once. */
export const eventPollMs = 500
export const eventBatchMax = 200
/** How often the key of a listener is checked again, so that a revocation takes effect everywhere in time. */
export const eventCheckMs = 2_500
/** After this time without an event a listener gets an empty comment: proxies cut silent connections. */
export const eventQuietMs = 15_000
/** A listener whose buffer stays full for this time gets a notice and is cut off. */
export const eventSlowMs = 10_000
/** Listeners of one process, shared evenly among organizations, and of one organization. */
export const eventStreamsMax = 400
export const eventTenantStreamsMax = 20

/** A sign-in to the console ends after this time without a request, and after this time in any case. */
export const consoleIdleMinutes = 30
export const consoleSessionHours = 12
/** How long a link that signs in is good for. It is good once. */
export const consoleLinkSeconds = 60
/** In a window of 60 s: pages and actions of one sign-in, requests of one address without one, and attempts to sign in of one address. */
export const consoleRequestsMax = 120
export const consoleAddressMax = 120
export const consoleSignInsMax = 10
/** Pages that are made at once. */
export const consoleInFlightMax = 16
/** Characters of the path that a sign-in returns to. */
export const consoleReturnMax = 512
/** Open reviews that are counted. A page says that there are more. */
export const openReviewsCountedMax = 1_000
/** Up to how many open reviews are put in order, the worst first. More are gone through from the newest on. */
export const reviewsWorstFirstMax = 200
/** Characters of a command or of a call's arguments that a page of the console shows. */
export const consoleCallMax = 4_000
/** Rows of a list in the console. */
export const consoleRowsMax = 30
/** The newest questions to people that the overview counts. */
export const overviewQuestionsMax = 2000
/** How soon a page that waits for work loads itself again. */
export const consoleReloadSeconds = 2
/** Entries of a chain of evidence that one page of the console verifies, after how long it stops, and those that it lists. */
export const consoleVerifyMax = 2_000
export const consoleVerifyMs = 1_500
export const consoleEntriesMax = 10
/** Up to how many assessments that wait for a seal the console counts. */
export const consoleWaitingRows = 200
/** How long a page waits for the thread with the rules of an older release. After that the page comes without their part. */
export const consoleRulesMs = 3_000
/** Single statements that would have lowered an answer, which a page names. */
export const loweringsMax = 5
/** Calls of one tool, and their days, for which the console suggests an entry of the catalogue. */
export const suggestedCallsMax = 60
export const suggestedDays = 30
/**
 * Releases, and versions of a policy set, that people read and compare: how many, how long a page waits until they are read,
 * how long one thread may take and how much it may hold, the comparisons that are kept, and those that wait while one is made. Twice
 * as many may wait for a moment, and all of them are kept.
 */
export const libraryVersionsMax = 40
export const libraryWaitMs = 2_000
export const libraryMsMax = 120_000
export const libraryHeapMbMax = 768
export const comparisonsMax = 32
export const comparisonsWaitingMax = 8
/**
 * Assessments of releases that are not the served one, which one thread considers again: the questions that wait, how long one waits in all
 * (a thread starts and opens a release in two to six seconds), how long the thread may take for one, the releases that it keeps open, what it
 * may hold, and when it ends without a question.
 */
export const olderWaitingMax = 8
export const olderWaitMs = 20_000
export const olderMsMax = 30_000
export const olderReleasesMax = 4
export const olderHeapMbMax = 768
export const olderIdleMs = 300_000
/** When a client should ask again if its question found no place, or no answer in time. */
export const olderRetrySeconds = 5
/**
 * Assessments of the served release that are considered again in the process itself: the questions under way, how many times as long
 * as a step they all rest after it, and how soon a client asks again whose question found no place.
 */
export const consideredMax = 64
export const consideredRests = 3
export const consideredRetrySeconds = 1
/**
 * Two releases on an organization's stored assessments: on how many days, at most on how many of the newest assessments, how many one
 * statement reads, how long one thread may take, how long a result is shown before it is counted again, and the results that are
 * kept. One is counted at a time; the last number is of those that wait. Twice as many may wait for a moment, and all of them are kept.
 */
export const ownHistoryDays = 30
export const ownHistoryMax = 20_000
export const ownHistoryPageRows = 100
export const ownHistoryMsMax = 300_000
export const ownHistoryKeptMs = 900_000
export const ownHistoriesMax = 64
export const ownHistoriesWaitingMax = 16
/** When a client should ask again if its organization already has its share of the waiting comparisons. */
export const comparisonRetrySeconds = 5

/** The wait before each attempt of a webhook but the first: the schedule of Standard Webhooks, 75.6 h in all. */
export const webhookDelaysSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Each wait is lengthened or shortened by up to this share, so that deliveries that failed together are not sent together again. */
export const webhookJitterPercent = 10
/** The longest wait that a receiver can get with `retry-after`. */
export const webhookRetryAfterSecondsMax = 86_400
/** After this time without a success, the next failure disables an endpoint. */
export const webhookFailingHoursMax = 120
/**
 * After this time without a result of an attempt, another process makes the attempt, because the first one has died.
 * Longer than any attempt takes.
 */
export const webhookLeaseMs = 30_000
/**
 * Attempts in progress to one endpoint, over all processes: always possible, possible while at most half of the shares below
 * are in use, and between a failure and the next success. Five of 50 ms each are 100 a second, and a busy organization has more.
 */
export const webhookInFlightMax = 5
export const webhookInFlightAheadMax = 32
export const webhookInFlightFailing = 1
/**
 * Attempts in progress in one process and mode, shared evenly among organizations: of one organization, and to one host, which
 * the organizations that send there share evenly. With many organizations all of it may be up to twice as much for a while.
 */
export const webhookAttemptsMax = 512
export const webhookOrganizationAttemptsMax = 128
export const webhookHostAttemptsMax = 96
/** How many deliveries one statement claims. */
export const webhookClaimBatchMax = 64
/** Endpoints that one claim considers. The next claim continues after them. */
export const webhookClaimEndpointsMax = 500
/** How often the relay looks for due deliveries when no signal wakes it, and how often it retries to store an outcome. */
export const webhookPollMs = 500
/**
 * After this many failures in a row, the circuit of an endpoint opens for the time below. Then the endpoint gets one
 * delivery at a time.
 */
export const webhookCircuitFailuresMax = 10
export const webhookCircuitOpenMs = 30_000
/** Endpoints with failures that one process remembers. */
export const webhookCircuitsMax = 2_000
/**
 * How long a delivery is postponed when its secret cannot be decrypted. A delivery older than the given hours becomes dead
 * instead: longer than the schedule with its jitter, but without a receiver's `retry-after`.
 */
export const webhookPostponedMs = 300_000
export const webhookPostponedHoursMax = 120
/** Risk factors that a payload names, strongest first. They are most of the payload's at most 20 KB. */
export const webhookFactorsMax = 100
/** How long a stop waits for attempts in progress before it releases their deliveries to other processes. */
export const webhookDrainMs = 2_000
/** Connections per mode that only the relay uses. */
export const webhookConnectionsMax = 2
/** How often waiting deliveries are counted for the metrics, up to how many, and after which wait a due delivery is late. */
export const webhooksCountedEveryMs = 5_000
export const webhooksCountedMax = 10_000
export const webhookLateSeconds = 60
/**
 * A transaction that queues a delivery ends within this time, else the delivery waits until deliveries are counted again. Longer than a
 * statement, a wait for a lock and an idle transaction together. Claims look back to the oldest delivery that waited when they
 * were counted, and to this long before that count.
 */
export const webhookCommitMs = 10_000
/** How long finished deliveries are kept, how often older ones are deleted, and how many at a time. */
export const webhookKeptDays = 30
export const webhookSweepMinutes = 10
export const webhookSweepBatchMax = 1_000
/** The hours for which a review may be open before its endpoints get a reminder. */
export const reviewDueHoursDefault = 24
export const reviewDueHoursMax = 720

/** The bytes that `webhooks listen` accepts of one delivery, which is under 20 KB, and how many ids it remembers. */
export const receivedBytesMax = 65_536
export const receivedIdsMax = 10_000
/** Deliveries of one endpoint that an operator's list shows, and that one `webhooks redeliver --failed` queues. */
export const deliveriesShownDefault = 20
export const deliveriesShownMax = 1_000
export const redeliveredMax = 1_000
/** Characters of a received text that a terminal shows. */
export const shownTextMax = 200

/** The shortest pepper. */
export const pepperBytesMin = 16
/** A century: the longest duration that an operator may give. */
export const durationMsMax = 36_500 * 86_400_000
/** The lifetime of a test key unless the operator gives another one. */
export const testKeyExpiryMs = 30 * 86_400_000
export const organizationNameMax = 200
/** The name of the person or program that has an API key. */
export const keyNameMax = 80

/** A score that takes longer gives no opinion. */
export const scoringMsMax = 250
/** Steps of an exact analysis of conditions. An analysis that needs more reports that it is undecided. */
export const analysisStepsMax = 50_000
/** Boxes of facts that are searched for a case that would kill a surviving mutant. */
export const killerBoxesMax = 8
/** The longest line of a history, and the bytes of a history that are read at once. */
export const historyLineBytesMax = 1_048_576
export const historyBlockBytes = 2_097_152
/** Lines of a file of requests or labels that are worked on at once. */
export const inputLinesAtOnce = 256
/** Labelled calls of one file, and the unreadable lines that a refusal names. */
export const labelledCallsMax = 10_000
export const labelProblemsShown = 5
/** How often `assess --batch` repeats a score that took too long. */
export const batchRetriesMax = 3
/** Blocks of `inputLinesAtOnce` lines that `assess --batch` answers before it starts threads, and those that each thread has at once. */
export const batchBlocksAlone = 32
export const batchBlocksAhead = 2
export const batchThreadsMax = 8
/** Blocks that the process scores itself before it starts workers, and the blocks that each worker has at once. */
export const historyBlocksAlone = 8
export const historyBlocksAhead = 2
/** A backtest ends after this many unreadable lines, because the file is then probably no history. */
export const historyUnreadableMax = 1_000
/** Lower scores, changed scores and unreadable lines that a backtest keeps in full. It counts all of them. */
export const backtestFallsMax = 50
export const backtestMoversMax = 20
export const backtestUnreadableShown = 20
/** Entries in the catalogue of one organization. */
export const catalogueEntriesMax = 2_000
/** Places that the entries of one catalogue name: a command that acts elsewhere is compared with each of them. */
export const cataloguePlacesMax = 50
/** Agents that the entries of one catalogue name: the bounds of a missing agent try each of them. */
export const catalogueAgentsMax = 50
/** Calls that `policies suggest` reads. */
export const suggestCallsMax = 20_000
/**
 * Distinct actions whose words are cached per lexicon: in the service, and on each side of a backtest. An action with more
 * characters than the second number is long: its words are kept only for its own request.
 */
export const cachedWordsMax = 4_096
export const shortTextMax = 4_096
/** Long actions that are read in turn: how many are under way, how many times as long as one they rest after it, and when to ask again. */
export const longReadsMax = 32
export const longReadsRest = 3
export const longReadsRetrySeconds = 1
/** Recorded policy versions that a backtest distinguishes. It counts further versions together. */
export const backtestPoliciesMax = 200
/** Kinds of actions whose moves a backtest counts apart: those of which it meets a move first. */
export const backtestActionsMax = 200
/** Threads that one backtest may use. */
export const backtestJobsMax = 64

/** A rule came near if it missed one threshold by no more than this share. */
export const nearMissPercentMax = 10
/** Situations that are tried to find facts inside a box. If any exist, the first few nearly always contain one. */
export const realizeTriesMax = 400
/** Stored assessments that an export or a report reads at once: at most about 20 MB. */
export const evidencePageRows = 200
/** Situations that are generated to show one difference between two rulebooks. */
export const witnessRealizedMax = 120
/** The share of the mutants of a rule file that must be killed, unless the operator gives another one. */
export const mutantsKilledPercentMin = 95
/** How many mutants of a file of data are tried, unless the operator gives another number: a minute or two for each file. */
export const dataMutantsMax = 100
/** Steps of one proof, and the lower results after which it stops. A proof that reaches a limit reports that it is unfinished. */
export const proofStepsMax = 20_000
export const proofLowerMax = 12

export const webhookDescriptionMax = 240
/** Webhook endpoints of one organization in one mode. */
export const webhookEndpointsMax = 100
/** How long a secret signs together with the one that replaced it. */
export const webhookSecretOverlapHours = 24
/** Endpoints per statement whose secrets are checked for the pepper that encrypts them. */
export const webhookSecretsBatchMax = 100
/** How long after a database failure these secrets are checked again. */
export const webhookSecretsRetryMs = 60_000
/** The length of a webhook's URL, as given and as requested. */
export const webhookUrlMax = 2_048
/** How long a receiver may take for name, connection and TLS together, and for everything. */
export const webhookConnectMs = 3_000
export const webhookTotalMs = 15_000
/** How long one DNS query may take, how often it is tried, and how many addresses of a name are checked. */
export const webhookResolveMs = 1_000
export const webhookResolveTries = 2
export const webhookAddressesMax = 8
/** When the IPv4 or the IPv6 addresses of a name are known, how long to wait for those of the other kind. */
export const webhookOtherKindMs = 300
/** How long a connection to one address may take while another address is left to try. */
export const webhookAddressMs = 1_000
/** The bytes that are read of a receiver's response: of status and headers, and of the body. */
export const webhookHeaderBytesMax = 16_384
export const webhookAnswerBytesMax = 65_536

/** The clients: attempts of one question, the time of one and of all together, the first pause, and the bytes of an answer. */
export const clientAttemptsMax = 3
export const clientAttemptMs = 3_500
export const clientDeadlineMs = 10_000
export const clientPauseMs = 250
export const answerBytesMax = 1_048_576

/** The files of agents' owners: their bytes, tools, exceptions, fields, and the lengths of a sentence, a tool's name and a path. */
export const agentFileBytesMax = 1_048_576
export const gateToolsMax = 200
export const gateExceptionsMax = 100
export const gateReasonMax = 400
export const mappedToolsMax = 2_000
export const mappedValuesMax = 200
export const toolNameMax = 240
export const argumentPathMax = 240
/** The powers of ten by which an amount in an argument may be moved: -2 for cents. */
export const scalePowerMax = 9
/** The characters of a command that is passed along with the action, because it is longer than `target_resource`. */
export const commandTextMax = 32_000
/**
 * The arguments of a call that is asked about: the bytes of all of them, the characters of a text for people and of another one where
 * all of them are too many, the levels, and the paths of omitted parts.
 */
export const handedBytesMax = 49_152
export const handedProseMax = 200
export const handedTextMax = 4_096
export const handedDepthMax = 24
export const leftOutPathsMax = 200
/** The calls whose answer a gate inside a program remembers. */
export const answeredCallsMax = 1_000
/** How long a hook or a gate asks the service about one call, and the characters of a reason. */
export const agentAskMs = 4_000
export const reasonCharactersMax = 720
/** The characters of a foreign text that a sentence quotes, and those that the summary of an opinion quotes. */
export const quotedTextMax = 240
export const summaryQuotedMax = 60
/** An agent's program asks a service from Node 20 on; the score needs the version on which the service itself runs. */
export const localNodeMajorMin = 24
/** The file of opinions that an agent's program keeps itself: its bytes, and how old a lock is whose process was killed. */
export const opinionsFileBytesMax = 20_000_000
export const opinionsLockMs = 60_000
/** A hook: how long it takes in all, the host's own bound above it, and the bytes of a call. */
export const hookAnswerMs = 5_000
export const hostTimeoutSeconds = 15
/** How long a host takes to say its version to `hook doctor`. */
export const hostVersionMs = 10_000
export const hookInputBytesMax = 8_388_608
/** How long an agent's program takes to report the outcome of one call, how many reports it has under way, and the calls that it follows. */
export const outcomeTellMs = 2_000
export const outcomesUnderWayMax = 64
export const followedCallsMax = 1_000
/** Hexadecimal digits of the digest that names a run of an agent. */
export const sessionDigestLength = 16
/**
 * A gate between a host and its MCP server: the characters of a line, the calls that it holds at once, the tools that it
 * remembers, how long a person may take, and how long a server may take to end.
 */
export const mcpLineMax = 16_777_216
export const mcpHeldMax = 64
export const mcpToolsMax = 2_000
export const mcpPersonMs = 600_000
export const mcpEndMs = 5_000
/**
 * A gate before a server behind a URL: requests at once, how long nothing may arrive on one, how long it waits before it opens the
 * stream of the server's own messages again, how often in a row without success, and how long it waits for the end of a session.
 */
export const mcpPostsMax = 256
export const mcpIdleMs = 300_000
export const mcpReopenMs = 1_000
export const mcpReopensMax = 5
export const mcpDeleteMs = 2_000
/** A request to the service by MCP over HTTP: a question, in the words of the protocol around it. */
export const mcpRequestBytesMax = 131_072
/**
 * `tools scaffold --mcp` and `tools gaps --mcp`: how long a server may take to list its tools, with the time that npx needs
 * to fetch it; the pages of its list, all that it may write, and the characters of its last words that a message repeats.
 */
export const mcpListMs = 60_000
export const mcpPagesMax = 200
export const mcpListBytesMax = 16_777_216
export const mcpLastWordsMax = 400
