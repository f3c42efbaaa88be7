/** All limits of the service as constants: those of section 8 of the specification, and all others. */

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
 * How many of the newest rows a search scans before it uses the index; how many if some of them matched; and how many if the index does not
 * cover them yet.
 */
export const searchedFirstRows = 64
export const searchedOnRows = 1_024
export const searchedInTurnMax = 8_192
/** The number of an organization's assessments that the search index keeps in one span. A span may exceed it by a batch. */
export const searchSpanRows = 16_384
/** The number of assessments that one transaction adds to that index, and how long such transactions follow each other. */
export const searchBatchMax = 1_000
export const searchRoundMs = 250
/**
 * The bytes of text in one such transaction: initial, minimum and maximum. They double after a fast transaction, and halve after one that
 * took longer than `searchBatchMs`.
 */
export const searchBatchBytes = { first: 65_536, least: 16_384, most: 1_048_576 }
export const searchBatchMs = 150
export const errorDetailsMax = 100
export const reviewNoteMax = 2_000
/**
 * The number of outcome events for one assessment, from keys that can request assessments and from keys that cannot. Separate, so that
 * neither kind uses up the other's places. An event that raises or restores the 24-hour sums is always accepted.
 */
export const outcomeAskersEventsMax = 20
export const outcomeIndependentEventsMax = 80
/**
 * For either kind of keys. As long as an assessment has fewer events, a raise counts exactly; after that, it counts as at least a doubling.
 * A figure can double at most 53 times, so an assessment never has more events than a list shows.
 */
export const outcomeExactEventsMax = 100
export const outcomeEventsListedMax = 1_000
/** How many assessments an outcome report lists. */
export const reportedHarmsMax = 100
/**
 * When a review removes an assessment from a day, the day is recounted if it has at most this many assessments. Otherwise nothing on it
 * counts as familiar any more.
 */
export const recountedMax = 10_000

/** How long startup or a command tries to connect. A busy server takes longer than an idle one; a missing server fails immediately. */
export const databaseConnectMs = 10_000
/** How long startup or a command waits for a server that reports that it is starting: after a crash it first replays its log. */
export const databaseStartMs = 60_000
/**
 * How long a pool may try to open one connection. The attempt occupies a place in the pool, so a long one would delay recovery after an
 * outage.
 */
export const poolConnectMs = 1_000
/** How many servers one DATABASE_URL may name: a primary and its standbys. */
export const databaseServersMax = 8
/** The minimum time between two searches for the server that accepts writes. A search opens one connection to each server. */
export const primarySearchMs = 500
/** The idle time after which the system probes a connection over the network. */
export const keepAliveProbeMs = 30_000
/** How long a statement may wait for a free connection. */
export const acquireMs = 500
/** The first is PostgreSQL's limit for a statement. The second is the service's own, because a server that is gone enforces no limit. */
export const statementMs = 2_000
export const statementAnswerMs = 2_500
export const lockWaitMs = 1_500
/** How long to wait before retrying failed background work, give or take a fifth. */
export const backgroundRetryMs = 500
export const idleInTransactionMs = 5_000
export const migrationMs = 60_000
/**
 * How long a migration waits for the lock on a table, while later statements on that table queue up behind it. Longer than any statement of
 * the service.
 */
export const migrationLockMs = 3_000
export const controlConnectionsMax = 4
export const liveConnectionsMax = 10
export const testConnectionsMax = 6
/**
 * The number of groups in a distributed database, and thus the maximum useful number of servers. Invariant: a database keeps the number
 * with which it was created.
 */
export const organizationGroups = 16
/** The connections of each pool per group of a distributed database. */
export const groupConnectionsMin = 2
/**
 * How many searches use the database at once per mode, and how many searches and requests for reviews and webhook endpoints together. One
 * organization may use one fewer. Searches take long, so they never use all connections.
 */
export const searchStatementsMax = 3
export const resourceTurnsMax = 4
/** How many searches of one organization may share a statement, as long as such statements take no longer than `searchesTogetherMs`. */
export const searchesTogetherMax = 8
export const searchesTogetherMs = 50
/** How many statements may wait for a turn, with an even share per organization. Each waits up to `acquireMs`. */
export const turnsWaitingMax = 64
/** Connections per mode for the statements above and for lists. Assessments have separate connections, so that none waits for these. */
export const resourceConnectionsMax = 6

/** The oldest major version of PostgreSQL with the features that the schema uses. */
export const postgresVersionMin = 15
export const initdbMs = 60_000
/** The time limit for creating the server's account: longer than `useradd` waits for the lock on the account files. */
export const useraddMs = 20_000
/** Includes recovery after a crash. */
export const postgresStartMs = 60_000
/** How long startup waits for an earlier server of the same directory to end. */
export const postgresHandoverMs = 15_000
export const postgresStopMs = 20_000
export const serveLockMs = 1_000
/** The maximum length of a Unix socket path: 107 bytes on Linux, 103 on macOS. */
export const socketPathBytesMax = 103
/** The maximum nesting of `all` and `any` in a rule condition. */
export const conditionDepthMax = 5
/** The maximum size of a working file under `rules/` or `policies/`. */
export const ruleFileBytesMax = 1_048_576
/** The number of compiled files in the cache: some releases, and the most recently edited files. */
export const compiledFilesMax = 24
/** The maximum number of rules in a rule release or policy set. */
export const rulesPerSetMax = 200
/**
 * The maximum length of a sentence and of a name, and the largest count, in a rule file. Products of counts up to this one stay exact, and
 * no scale exceeds it.
 */
export const ruleSentenceMax = 1_000
export const ruleNameMax = 80
export const ruleCountMax = 1_000_000_000
/** How many problems of one kind are reported per object of a rule file. A file with more is probably not a rule file. */
export const problemsShownMax = 100
/**
 * For how many facts records loading compares the whole rule set with the reference evaluator. It also compares every factor at each of its
 * boundaries.
 */
export const verifiedSetsMax = 12

/** How often a running service looks for new policy versions. A change is served after two consecutive checks have seen it. */
export const policyPollMs = 2_000

/** The time limit for a behavior snapshot. After that, the assessment continues without it and assumes the worst history. */
export const behaviorReadMsMax = 150
/** An assessment that has not been scored this long after it was received is answered as incomplete. */
export const assessmentDeadlineMs = 1_000
/** How long a request waits for one storage read and for one attempt to write, including the wait behind another statement. */
export const storageReadMsMax = 700
export const storageWriteMsMax = 2_000
/** The total time that one request waits for storage, so that an outage is answered within 3 s. */
export const storageTotalMsMax = 2_800
/** How long a request waits for another one with the same idempotency key. */
export const idempotencyWaitMsMax = 2_000
export const idempotencyMemoryHours = 24
/** The number of idempotency keys that a process remembers as answered. Other keys are looked up together with the history. */
export const answeredKeysMax = 10_000
/** How often the service looks for unsealed evidence, and how many entries one transaction seals. */
export const sealEveryMs = 500
export const sealBatchMax = 1_000
/** The number of assessments whose facets one transaction creates. */
export const facetsBatchMax = 1_000
/** The number of organizations whose seals one transaction follows. */
export const followedAtOnce = 64
/** How often all organizations are searched for seals that no process followed because the sealing process was stopped. */
export const sealsFollowedEveryMs = 60_000
/** How many names of agents, actions and factors a day counts separately. Further ones are counted together. */
export const facetNamesPerDayMax = 1_000
/**
 * How many rows one page of a filtered list examines, and how many if each match is also searched for a text. A page may end early, with a
 * cursor.
 */
export const facetsLookedMax = 200_000
export const facetsSearchedMax = 4_000
/** How many rows the first step of such a page examines, and the factor by which later steps grow. */
export const facetsFirstStep = 256
export const facetsStepFactor = 8
/** How many days with a possible match one page of a filtered list goes through. */
export const facetDaysMax = 64
/** The maximum number of days that a statistics request covers. */
export const statisticsDaysMax = 366
/** How many agents, actions or factors statistics list, most frequent first. */
export const statisticsNamesMax = 100
/** Evidence that has been unsealed for longer was not written by the service, or no process is sealing any more. */
export const sealLateMsMax = 60_000
/** How many entries of an export may come before their position in the chain: an export is ordered by time, the chain by commits. */
export const outOfOrderEntriesMax = 100_000
/** How many assessments with a different result a replay shows. It counts all of them. */
export const replaysShown = 20
/** How many assessments one statement checks for a missing seal. */
export const unsealedPageRows = 5_000
/** The minimum age of an assessment to be erased: by then, no attempt to store it is still running. */
export const erasableAfterMs = 10_000
/** How many assessments one transaction erases, and how many one statement examines as candidates. */
export const eraseBatchMax = 500
export const erasureMs = 60_000
/** How often reading a page of candidates or erasing a group is retried if the database took too long or a lock was held. */
export const erasureRetries = 4
/** How many erased assessments an erasure lists. It counts all of them. */
export const erasuresShown = 20
/** For how many days behavior counts are kept when assessments are erased: more than the window of any release. */
export const countsKeptDays = 35
export const forgetCountsBatchMax = 10_000
/** A checkpoint or a public key takes a few hundred bytes. */
export const checkpointBytesMax = 16_384
/** How often unsealed entries are counted for the metrics, and up to which number. */
export const sealsCountedEveryMs = 5_000
export const sealsCountedMax = 100_000
/** How often expired idempotency keys are deleted, and how many at a time. */
export const idempotencySweepMinutes = 10
export const idempotencySweepKeysMax = 5_000
export const slowDrillMs = 2_000
/** How many established destinations per organization are held in memory: the most recently seen ones. */
export const establishedDestinationsMax = 20_000
/** How many sightings of destinations one statement reads: a fraction of a second's work, and as many rows as a quiet organization has. */
export const sightingsPageRows = 20_000
/** How many characters of established destinations are prepared for comparison before other work gets a turn. */
export const preparedUnitsMax = 20_000
/** How many agents of an organization have their own usual pace: those with the most hours. For others, the pace of all agents counts. */
export const agentPacesMax = 5_000
/** How many organizations have their past days held in memory, and how long until these are read again. */
export const baselineWindowsMax = 1_000
export const baselineWindowRefreshMs = 60_000
/**
 * The memory for these past days per mode, and the memory per name: enough for 500 organizations with 1,000 destinations, or 5 with the
 * maximum.
 */
export const baselineBytesMax = 128 * 1024 * 1024
export const baselineBytesPerName = 300
export const baselineBytesPerCharacter = 4
/** How often a snapshot re-reads its window or today's activity, whichever is older. Two reads suffice if neither changes in between. */
export const outdatedReadsMax = 3
/** How many assessments one statement writes. */
export const writeBatchMax = 64
/** How many requests one statement counts against their rate limits. */
export const countBatchMax = 1_000
export const readBatchMax = 32
/** How many statements of one kind run at once, per mode. */
export const readBatchesInFlightMax = 2
export const writeBatchesInFlightMax = 2
/** How many items may wait for the next statement of one kind: about a tenth of a second's work. Further ones are rejected. */
export const batchQueueMax = 2_000
/** How often items that wait for a shared statement are checked for timeouts. */
export const batchTimeoutCheckMs = 10
/**
 * After this time without an answer, a statement that many requests share is cancelled and the next one starts, so that the service
 * recovers soon after an outage.
 */
export const batchTimeoutMs = 1_000

/** Limits for node:http: header bytes and header fields per request, and simultaneous connections. */
export const headerBytesMax = 16_384
export const headerFieldsMax = 100
export const connectionsMax = 10_000
/**
 * Simultaneous connections per client address: a tenth of all. Behind a trusted proxy, requests per forwarded address. IPv6 addresses count
 * by their /64.
 */
export const heldPerAddressMax = 1_000
/** How many pipelined requests a connection may send ahead. Another one closes it. */
export const pipelinedRequestsMax = 100
/** How many requests with a valid key are processed at once, over all organizations. More would only wait for each other. */
export const inFlightMax = 128
/** The `retry-after` of a request that gets no permit under `inFlightMax`. */
export const overloadRetrySeconds = 1
/** How long a client may take for its headers and for its whole request, and how long a connection may be idle between requests. */
export const headersMs = 10_000
export const requestMs = 20_000
export const keepAliveMs = 30_000
/** Every response is sent within this time of the request's last byte; after that it is an error. */
export const answerMs = 2_900
/** How often active requests are checked against `answerMs`. */
export const answerCheckMs = 20
/** How long active requests may take after shutdown was requested. */
export const drainMs = 20_000
/** How long idle connections stay open after shutdown was requested. */
export const drainIdleMs = 1_000
/** How long a client whose body is not read may take to read the response before its connection is closed. */
export const lingerMs = 1_000
/** A revocation takes effect everywhere within this time. */
export const keyCacheMs = 5_000
export const keyCacheMax = 10_000
/** How long a client whose address has used up its window waits for each refusal. */
export const addressRefusalMs = 200
/**
 * How many keys that this process does not know as valid may be looked up at once. Further ones are refused. One statement answers many.
 */
export const keyLookupsMax = 512
export const keyLookupBatchMax = 256
/** How often a fault that many requests encounter is logged. */
export const faultLogMs = 1_000
/** Rate limits count in windows of this length, aligned to the clock. */
export const rateWindowMs = 60_000
/** How many subjects are counted exactly per window. Further ones share counters, so that memory stays bounded. */
export const rateSubjectsMax = 100_000
export const rateSharedCounters = 65_536
/** How often the public status probes the database, and the answer time above which it calls the database degraded. */
export const statusRefreshMs = 5_000
export const statusProbeMs = 1_000
/** How many consecutive assessments must fail to be stored before the public status reports it, and for how long after the last one. */
export const failedWritesMin = 5
export const failedWritesMs = 60_000

/** How often listeners get new events, and how many at once. */
export const eventPollMs = 500
export const eventBatchMax = 200
/** How often a listener's key is checked again, so that a revocation takes effect everywhere in time. */
export const eventCheckMs = 2_500
/** After this time without an event, a listener gets an empty comment, because proxies cut silent connections. */
export const eventQuietMs = 15_000
/** A listener whose buffer stays full for this time gets a notice and is disconnected. */
export const eventSlowMs = 10_000
/** How many listeners a process may have, shared evenly among organizations, and how many one organization may have. */
export const eventStreamsMax = 400
export const eventTenantStreamsMax = 20

/** A console session ends after this time without a request, and in any case after `consoleSessionHours`. */
export const consoleIdleMinutes = 30
export const consoleSessionHours = 12
/** How long a sign-in link is valid. It can be used once. */
export const consoleLinkSeconds = 60
/**
 * Per window of 60 s: pages and actions of one session, requests from one address without a session, and sign-in attempts from one address.
 */
export const consoleRequestsMax = 120
export const consoleAddressMax = 120
export const consoleSignInsMax = 10
/** How many pages are built at once. */
export const consoleInFlightMax = 16
/** The maximum length of the path to return to after sign-in. */
export const consoleReturnMax = 512
/** How many open reviews are counted. Beyond that, a page says that there are more. */
export const openReviewsCountedMax = 1_000
/** Up to this many open reviews are sorted worst first. If there are more, they are ordered newest first. */
export const reviewsWorstFirstMax = 200
/** How many characters of a command or of a call's arguments a console page shows. */
export const consoleCallMax = 4_000
/** The number of rows per list page in the console. */
export const consoleRowsMax = 30
/** How many of the newest questions to people the overview counts. */
export const overviewQuestionsMax = 2000
/** How soon a page that waits for work reloads itself. */
export const consoleReloadSeconds = 2
/** How many entries of an evidence chain one console page verifies, after how long it stops, and how many entries it lists. */
export const consoleVerifyMax = 2_000
export const consoleVerifyMs = 1_500
export const consoleEntriesMax = 10
/** Up to which number the console counts assessments that wait for a seal. */
export const consoleWaitingRows = 200
/** How long a page waits for the thread with an older release's rules. After that, it is sent without their part. */
export const consoleRulesMs = 3_000
/** How many single statements that would have lowered an answer a page lists. */
export const loweringsMax = 5
/** How many calls of one tool, and from how many days, the console uses to suggest a catalogue entry. */
export const suggestedCallsMax = 60
export const suggestedDays = 30
/**
 * Releases and versions of policy sets for people to read and compare: how many, how long a page waits for them to be read, the time and
 * memory limits of a thread, how many comparisons are kept, and how many may wait while one is running. For a moment, twice as many may
 * wait, and all of them are kept.
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
/** When a client should ask again if its question found no place or got no answer in time. */
export const olderRetrySeconds = 5
/**
 * Assessments of the served release that are considered again in this process: how many at once, the pause after each step as a multiple of
 * its duration, and when a client whose question found no place should ask again.
 */
export const consideredMax = 64
export const consideredRests = 3
export const consideredRetrySeconds = 1
/**
 * The comparison of two releases on an organization's stored assessments: how many days back, how many of the newest assessments at most,
 * how many one statement reads, the time limit of a thread, how long a result is shown before it is computed again, and how many results
 * are kept. One runs at a time; the last number limits those that wait. For a moment, twice as many may wait, and all of them are kept.
 */
export const ownHistoryDays = 30
export const ownHistoryMax = 20_000
export const ownHistoryPageRows = 100
export const ownHistoryMsMax = 300_000
export const ownHistoryKeptMs = 900_000
export const ownHistoriesMax = 64
export const ownHistoriesWaitingMax = 16
/** When a client should ask again if its organization's waiting comparisons already fill its share. */
export const comparisonRetrySeconds = 5

/** The wait before each attempt of a webhook except the first: the schedule of Standard Webhooks, 75.6 h in total. */
export const webhookDelaysSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Each wait is lengthened or shortened by up to this percentage, so that deliveries that failed together are not retried together. */
export const webhookJitterPercent = 10
/** The longest wait that a receiver can request with `retry-after`. */
export const webhookRetryAfterSecondsMax = 86_400
/** After this many hours without a success, the next failure disables an endpoint. */
export const webhookFailingHoursMax = 120
/**
 * After this time without a result, another process makes the attempt, because the first process has died. Longer than any attempt takes.
 */
export const webhookLeaseMs = 30_000
/**
 * Attempts in progress to one endpoint, over all processes: the number that is always possible, the number while at most half of the shares
 * below are in use, and the number between a failure and the next success. Five attempts of 50 ms each are 100 per second, which a busy
 * organization exceeds.
 */
export const webhookInFlightMax = 5
export const webhookInFlightAheadMax = 32
export const webhookInFlightFailing = 1
/**
 * Attempts in progress per process and mode, shared evenly among organizations: in total, of one organization, and to one host, which the
 * organizations that send there share evenly. With many organizations, the total may temporarily be up to twice as much.
 */
export const webhookAttemptsMax = 512
export const webhookOrganizationAttemptsMax = 128
export const webhookHostAttemptsMax = 96
/** How many deliveries one statement claims. */
export const webhookClaimBatchMax = 64
/** How many endpoints one claim considers. The next claim continues after them. */
export const webhookClaimEndpointsMax = 500
/** How often the relay looks for due deliveries without a signal, and how often it retries to store an outcome. */
export const webhookPollMs = 500
/**
 * After this many consecutive failures, an endpoint's circuit opens for `webhookCircuitOpenMs`. After that, the endpoint gets one delivery
 * at a time.
 */
export const webhookCircuitFailuresMax = 10
export const webhookCircuitOpenMs = 30_000
/** How many failing endpoints a process remembers. */
export const webhookCircuitsMax = 2_000
/**
 * How long a delivery is postponed if its secret cannot be decrypted. A delivery older than `webhookPostponedHoursMax` becomes dead
 * instead; that is longer than the schedule with its jitter, but ignores a receiver's `retry-after`.
 */
export const webhookPostponedMs = 300_000
export const webhookPostponedHoursMax = 120
/** How many risk factors a payload lists, strongest first. They make up most of a payload of at most 20 KB. */
export const webhookFactorsMax = 100
/** How long shutdown waits for attempts in progress before it releases their deliveries to other processes. */
export const webhookDrainMs = 2_000
/** Connections per mode that only the relay uses. */
export const webhookConnectionsMax = 2
/** How often waiting deliveries are counted for the metrics, up to which number, and after which wait a due delivery is late. */
export const webhooksCountedEveryMs = 5_000
export const webhooksCountedMax = 10_000
export const webhookLateSeconds = 60
/**
 * A transaction that queues a delivery ends within this time; otherwise the delivery waits until deliveries are counted again. Longer than
 * a statement, a lock wait and an idle transaction together. Claims look back to the oldest delivery that was waiting at the last count,
 * and this much further.
 */
export const webhookCommitMs = 10_000
/** How long finished deliveries are kept, how often older ones are deleted, and how many at a time. */
export const webhookKeptDays = 30
export const webhookSweepMinutes = 10
export const webhookSweepBatchMax = 1_000
/** After how many hours endpoints get a reminder of an open review. */
export const reviewDueHoursDefault = 24
export const reviewDueHoursMax = 720

/** The maximum size of a delivery for `webhooks listen` (deliveries are under 20 KB), and how many ids it remembers. */
export const receivedBytesMax = 65_536
export const receivedIdsMax = 10_000
/** How many deliveries of one endpoint an operator's list shows, and how many one `webhooks redeliver --failed` queues. */
export const deliveriesShownDefault = 20
export const deliveriesShownMax = 1_000
export const redeliveredMax = 1_000
/** How many characters of a received text a terminal shows. */
export const shownTextMax = 200

/** The minimum length of a pepper. */
export const pepperBytesMin = 16
/** A century: the longest duration that an operator may give. */
export const durationMsMax = 36_500 * 86_400_000
/** The lifetime of a test key, unless the operator specifies another. */
export const testKeyExpiryMs = 30 * 86_400_000
export const organizationNameMax = 200
/** The maximum length of the name of the person or program that has an API key. */
export const keyNameMax = 80

/** A score that takes longer gives no opinion. */
export const scoringMsMax = 250
/** The step limit of an exact analysis of conditions. An analysis that needs more reports that it is undecided. */
export const analysisStepsMax = 50_000
/** In how many boxes of facts to search for a case that would kill a surviving mutant. */
export const killerBoxesMax = 8
/** The longest line of a history, and how many bytes of a history are read at once. */
export const historyLineBytesMax = 1_048_576
export const historyBlockBytes = 2_097_152
/** How many lines of a file of requests or labels are processed at once. */
export const inputLinesAtOnce = 256
/** The maximum number of labelled calls in a file, and how many unreadable lines a refusal lists. */
export const labelledCallsMax = 10_000
export const labelProblemsShown = 5
/** How often `assess --batch` repeats a score that took too long. */
export const batchRetriesMax = 3
/** How many blocks of `inputLinesAtOnce` lines `assess --batch` answers before it starts threads, and how many each thread has at once. */
export const batchBlocksAlone = 32
export const batchBlocksAhead = 2
export const batchThreadsMax = 8
/** How many blocks the process scores itself before it starts workers, and how many blocks each worker has at once. */
export const historyBlocksAlone = 8
export const historyBlocksAhead = 2
/** A backtest stops after this many unreadable lines, because the file is then probably not a history. */
export const historyUnreadableMax = 1_000
/** How many lower scores, changed scores and unreadable lines a backtest keeps in full. It counts all of them. */
export const backtestFallsMax = 50
export const backtestMoversMax = 20
export const backtestUnreadableShown = 20
/** The maximum number of entries in an organization's catalogue. */
export const catalogueEntriesMax = 2_000
/** The maximum number of places in one catalogue: a command that acts elsewhere is compared with each of them. */
export const cataloguePlacesMax = 50
/** The maximum number of agents in one catalogue: the bounds of a missing agent try each of them. */
export const catalogueAgentsMax = 50
/** How many calls `policies suggest` reads. */
export const suggestCallsMax = 20_000
/**
 * How many distinct actions have their readings cached per lexicon: in the service, and on each side of a backtest. An action with more
 * than `shortTextMax` characters is long: its reading is kept only for its own request.
 */
export const cachedWordsMax = 4_096
export const shortTextMax = 4_096
/** Long actions take turns being read: how many at once, the pause after each as a multiple of its duration, and when to ask again. */
export const longReadsMax = 32
export const longReadsRest = 3
export const longReadsRetrySeconds = 1
/** How many recorded policy versions a backtest distinguishes. It counts further versions together. */
export const backtestPoliciesMax = 200
/** How many kinds of actions a backtest counts separately: those whose moves it finds first. */
export const backtestActionsMax = 200
/** The maximum number of threads of one backtest. */
export const backtestJobsMax = 64

/** A rule was close if it missed a single threshold by at most this percentage of it. */
export const nearMissPercentMax = 10
/** How many situations are tried to find facts inside a box. If any exist, the first few nearly always contain one. */
export const realizeTriesMax = 400
/** How many stored assessments an export or a report reads at once: at most about 20 MB. */
export const evidencePageRows = 200
/** How many situations are generated to demonstrate one difference between two rulebooks. */
export const witnessRealizedMax = 120
/** The percentage of a rule file's mutants that must be killed, unless the operator specifies another. */
export const mutantsKilledPercentMin = 95
/** How many mutants of a data file are tried, unless the operator specifies another number: one or two minutes per file. */
export const dataMutantsMax = 100
/**
 * The step limit of a proof, and the number of lower results after which it stops. A proof that reaches a limit reports that it is
 * unfinished.
 */
export const proofStepsMax = 20_000
export const proofLowerMax = 12

export const webhookDescriptionMax = 240
/** The maximum number of webhook endpoints of one organization in one mode. */
export const webhookEndpointsMax = 100
/** For how long a replaced secret keeps signing next to its replacement. */
export const webhookSecretOverlapHours = 24
/** How many endpoints per statement have their secrets checked for the pepper that encrypts them. */
export const webhookSecretsBatchMax = 100
/** How long after a database failure this check is repeated. */
export const webhookSecretsRetryMs = 60_000
/** The maximum length of a webhook's URL, both as given and as requested. */
export const webhookUrlMax = 2_048
/** How long a receiver may take for name resolution, connection and TLS together, and for everything. */
export const webhookConnectMs = 3_000
export const webhookTotalMs = 15_000
/** The time limit of one DNS query, how often it is tried, and how many addresses of a name are checked. */
export const webhookResolveMs = 1_000
export const webhookResolveTries = 2
export const webhookAddressesMax = 8
/** Once the IPv4 or the IPv6 addresses of a name are known, how long to wait for those of the other kind. */
export const webhookOtherKindMs = 300
/** How long a connection to one address may take while there is another address to try. */
export const webhookAddressMs = 1_000
/** How many bytes of a receiver's response are read: of status and headers, and of the body. */
export const webhookHeaderBytesMax = 16_384
export const webhookAnswerBytesMax = 65_536

/**
 * For the clients: the number of attempts per question, the time limits of one attempt and of all together, the first pause, and the bytes
 * of an answer.
 */
export const clientAttemptsMax = 3
export const clientAttemptMs = 3_500
export const clientDeadlineMs = 10_000
export const clientPauseMs = 250
export const answerBytesMax = 1_048_576

/**
 * For the files of agents' owners: their size, the numbers of tools, exceptions and fields, and the lengths of a sentence, a tool's name
 * and a path.
 */
export const agentFileBytesMax = 1_048_576
export const gateToolsMax = 200
export const gateExceptionsMax = 100
export const gateReasonMax = 400
export const mappedToolsMax = 2_000
export const mappedValuesMax = 200
export const toolNameMax = 240
export const argumentPathMax = 240
/** The range of powers of ten by which an amount in an argument may be scaled: -2 for cents. */
export const scalePowerMax = 9
/** The maximum length of a command that is passed along with the action because it is longer than `target_resource`. */
export const commandTextMax = 32_000
/**
 * For the arguments of a call in a question: their total size; the characters kept of a prose text and of any other text if the total is
 * exceeded; the nesting depth; and the number of paths of omitted parts.
 */
export const handedBytesMax = 49_152
export const handedProseMax = 200
export const handedTextMax = 4_096
export const handedDepthMax = 24
export const leftOutPathsMax = 200
/** For how many calls a gate inside a program remembers the answer. */
export const answeredCallsMax = 1_000
/** How long a hook or a gate asks the service about one call, and the maximum length of a reason. */
export const agentAskMs = 4_000
export const reasonCharactersMax = 720
/** How many characters of a foreign text a sentence quotes, and how many an opinion's summary quotes. */
export const quotedTextMax = 240
export const summaryQuotedMax = 60
/** An agent's program can ask a service from Node 20 on. To score by itself, it needs the Node version of the service. */
export const localNodeMajorMin = 24
/** The opinions file of an agent's program: its size, and the age from which a lock is taken to belong to a killed process. */
export const opinionsFileBytesMax = 20_000_000
export const opinionsLockMs = 60_000
/** For a hook: its total time limit, the host's own longer limit, and the size of a call. */
export const hookAnswerMs = 5_000
export const hostTimeoutSeconds = 15
/** How long a host may take to report its version to `hook doctor`. */
export const hostVersionMs = 10_000
export const hookInputBytesMax = 8_388_608
/**
 * How long an agent's program may take to report the outcome of one call, how many reports it may have in progress, and how many calls it
 * follows.
 */
export const outcomeTellMs = 2_000
export const outcomesUnderWayMax = 64
export const followedCallsMax = 1_000
/** How many hexadecimal digits identify a run of an agent. */
export const sessionDigestLength = 16
/**
 * For a gate between a host and its MCP server: the length of a line, how many calls it holds at once, how many tools it remembers, how
 * long a person may take, and how long a server may take to end.
 */
export const mcpLineMax = 16_777_216
export const mcpHeldMax = 64
export const mcpToolsMax = 2_000
export const mcpPersonMs = 600_000
export const mcpEndMs = 5_000
/**
 * For a gate before a server at a URL: simultaneous requests; how long a request may be silent; the pause before reopening the stream of
 * the server's own messages, and how often in a row without success; and how long to wait for a session to end.
 */
export const mcpPostsMax = 256
export const mcpIdleMs = 300_000
export const mcpReopenMs = 1_000
export const mcpReopensMax = 5
export const mcpDeleteMs = 2_000
/** The size of an MCP request over HTTP: a question with its protocol envelope. */
export const mcpRequestBytesMax = 131_072
/**
 * For `tools scaffold --mcp` and `tools gaps --mcp`: how long a server may take to list its tools, including the time in which npx
 * downloads it; the pages of its list; its total output; and how many characters of its last output a message repeats.
 */
export const mcpListMs = 60_000
export const mcpPagesMax = 200
export const mcpListBytesMax = 16_777_216
export const mcpLastWordsMax = 400
