/** A real PostgreSQL server in DATA_DIR. Processes share it: the first one starts it, and the last one stops it. */

import { Effect, Predicate, Redacted, Schedule, type Scope } from "effect"
import { postgresHandoverMs, serveLockMs } from "../../limits.ts"
import { DatabaseProblem, passingWithin } from "../storageErrors.ts"
import { type Cluster, clusterAt, isInitialized } from "./Cluster.ts"
import { openSession, type Session } from "./Session.ts"
import { initialize, socketFolderInUse, startServer, stopServer } from "./server.ts"
import { isShared } from "./serverAccount.ts"

export interface EmbeddedOptions {
  readonly dataDirectory: string
  /** If true, only this process may serve from the directory, and it restarts the server if it dies. */
  readonly serving: boolean
  /** Further `name=value` settings for the server. */
  readonly settings?: ReadonlyArray<string>
}

/** Returns the owner's connection URL, which is valid until the scope closes. */
export const openEmbeddedPostgres = Effect.fn("EmbeddedPostgres.open")(function* (
  options: EmbeddedOptions
): Effect.fn.Return<Redacted.Redacted, DatabaseProblem, Scope.Scope> {
  const cluster = yield* clusterAt(options.dataDirectory, options.settings)
  if (!isInitialized(cluster.folder)) yield* initialize(cluster)
  const current = yield* Effect.acquireRelease(
    Effect.map(attach(cluster, null), (session) => ({ session })),
    // `watch` may have replaced the session, so it is read when the scope closes.
    ({ session }) => leave(cluster, session)
  )
  if (options.serving) {
    if (cluster.account !== null && isShared(cluster.account))
      yield* Effect.logWarning(sharedAccount(cluster))
    yield* claimServing(cluster, current.session)
    yield* Effect.forkScoped(watch(cluster, current))
  }
  return Redacted.make(`postgres://action_risk@localhost/postgres?host=${current.session.socketFolder}`)
}, Effect.catchDefect(problemOfFileSystem))

const sharedAccount = ({ folder }: Cluster): string =>
  `PostgreSQL runs under the account \`nobody\`: every other program of that account can read and change ${folder}. Stop the service, make an account (useradd --system action-risk), give it that folder (chown -R), and start again`

/** Restarts the server whenever it goes away. */
const watch = (cluster: Cluster, current: { session: Session }) =>
  Effect.gen(function* () {
    yield* current.session.lost
    yield* Effect.logWarning("the embedded PostgreSQL stopped; restarting it")
    yield* current.session.close
    current.session = yield* attach(cluster, current.session.socketFolder)
    yield* claimServing(cluster, current.session)
    yield* Effect.logInfo("the embedded PostgreSQL runs again")
  }).pipe(
    Effect.tapError((problem) => Effect.logError(problem.message)),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.forever
  )

/** Joins the running server, or starts one. A process that loses the race to start joins the winner's server. */
const attach = (cluster: Cluster, socketFolder: string | null): Effect.Effect<Session, DatabaseProblem> =>
  Effect.gen(function* () {
    const running = yield* joinRunning(cluster)
    if (running !== null) return running
    yield* startServer(cluster, socketFolder)
    return (yield* joinRunning(cluster)) ?? (yield* notYet(cluster))
  }).pipe(
    // After kill -9, the old server's processes hold its memory for a few moments. A stopping server answers no one.
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: passingWithin(postgresHandoverMs) })
  )

const notYet = (cluster: Cluster) =>
  new DatabaseProblem({
    message: `PostgreSQL in ${cluster.folder} keeps stopping and restarting: see ${cluster.log}`,
    passing: true
  })

const joinRunning = (cluster: Cluster): Effect.Effect<Session | null> =>
  Effect.suspend(() => {
    const folder = socketFolderInUse(cluster)
    if (folder === null) return Effect.succeed(null)
    return openSession(cluster, folder).pipe(Effect.orElseSucceed(() => null))
  })

const claimServing = (cluster: Cluster, session: Session): Effect.Effect<void, DatabaseProblem> => {
  const refused = new DatabaseProblem({
    message: `another \`action-risk serve\` uses DATA_DIR ${cluster.dataDirectory}: stop it, or set DATA_DIR to another directory`,
    passing: true
  })
  return session.claimServing.pipe(
    Effect.orElseSucceed(() => false),
    Effect.filterOrFail(
      (claimed) => claimed,
      () => refused
    ),
    // The session of a `serve` process that was just killed takes a moment to end.
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: passingWithin(serveLockMs) }),
    Effect.asVoid
  )
}

const leave = (cluster: Cluster, session: Session): Effect.Effect<void> =>
  session.leave.pipe(
    Effect.orElseSucceed(() => false),
    Effect.flatMap((last) => (last ? stopServer(cluster) : Effect.void)),
    Effect.catch((problem) => Effect.logError(problem.message)),
    Effect.andThen(session.close)
  )

/** A full disk or a missing permission is the operator's problem, whichever call encountered it. */
function problemOfFileSystem(defect: unknown): Effect.Effect<never, DatabaseProblem> {
  return Predicate.isError(defect) && Predicate.hasProperty(defect, "syscall")
    ? Effect.fail(
        new DatabaseProblem({ message: `DATA_DIR cannot be used: ${defect.message}`, cause: defect })
      )
    : Effect.die(defect)
}
