/** The HTTP server over hand-written services: the edge as clients meet it, without a database. */

import { Effect, Layer, Logger, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { NotFound, RateLimited } from "../../src/api/Failures.ts"
import {
  exampleDeliveryList,
  exampleEndpoint,
  exampleEndpointList,
  exampleEndpointWithSecret,
  exampleEvidence,
  exampleList,
  exampleQueued,
  exampleResponse,
  exampleReview,
  exampleReviewList
} from "../../src/api/examples/examples.ts"
import { exampleOutcome, exampleOutcomeList } from "../../src/api/examples/outcomeExamples.ts"
import { Assess } from "../../src/assessment/Assess.ts"
import type { AssessCall } from "../../src/assessment/AssessRequest.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { EventStreams } from "../../src/server/EventStreams.ts"
import { exampleStatistics } from "../../src/api/Statistics.ts"
import { Figures } from "../../src/assessment/Figures.ts"
import { Outcomes } from "../../src/assessment/Outcomes.ts"
import { Reviews } from "../../src/assessment/Reviews.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { AppConfig, type Settings } from "../../src/config.ts"
import { formatKey } from "../../src/domain/ApiKey.ts"
import type { Caller, Mode } from "../../src/domain/Caller.ts"
import { OwnHistory } from "../../src/assessment/OwnHistory.ts"
import { RecordedAssessments } from "../../src/evidence/recorded/RecordedAssessments.ts"
import { reconsiderSteps } from "../../src/evidence/recorded/reconsider.ts"
import { packageRoot, type Root } from "../../src/rules/files/readTree.ts"
import { inSteps } from "../../src/storage/behavior/BaselineWindow.ts"
import { recordedRules } from "../../src/rules/history/recordedRules.ts"
import { RuleReleases } from "../../src/rules/servedRules.ts"
import { HttpServerLive, type ListeningServer } from "../../src/server/HttpServer.ts"
import { ApiKeys, type FoundKey, KeyHasher } from "../../src/storage/ApiKeys.ts"
import type { StoredEvidence } from "../../src/storage/assessments/AssessmentRecord.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { Deliveries } from "../../src/webhooks/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { baseline } from "./baseline.ts"

/** A key of each kind that the edge treats differently; the seed makes it the same in every run. */
const keyOf = (mode: Mode, seed: string) => formatKey(mode, createHash("sha256").update(seed).digest())

export const keys = {
  test: keyOf("test", "test"),
  live: keyOf("live", "live"),
  assessOnly: keyOf("test", "assess only"),
  readOnly: keyOf("test", "read only"),
  stagingOnly: keyOf("test", "staging only"),
  expiredTest: keyOf("test", "expired"),
  expiredLive: keyOf("live", "expired"),
  revoked: keyOf("test", "revoked"),
  unknown: keyOf("test", "unknown")
}

const past = new Date("2026-01-01T00:00:00Z")

const found = (
  name: keyof typeof keys,
  mode: Mode,
  more: Partial<Caller & Omit<FoundKey, "caller">> = {}
): FoundKey => {
  const { expiresAt = null, revokedAt = null, ...caller } = more
  return {
    caller: {
      organizationId: "11111111-1111-4111-8111-111111111111",
      organization: "acme",
      mode,
      keyId: name,
      keyName: null,
      scopes: ["assess", "read", "reviews", "webhooks", "explain", "rules", "outcomes"],
      environments: null,
      policySet: "none",
      ...caller
    },
    expiresAt,
    revokedAt
  }
}

export const knownKeys: ReadonlyMap<string, FoundKey> = new Map([
  [keys.test, found("test", "test")],
  [keys.live, found("live", "live")],
  [keys.assessOnly, found("assessOnly", "test", { scopes: ["assess"] })],
  [keys.readOnly, found("readOnly", "test", { scopes: ["read"] })],
  [keys.stagingOnly, found("stagingOnly", "test", { environments: ["staging"] })],
  [keys.expiredTest, found("expiredTest", "test", { expiresAt: past })],
  [keys.expiredLive, found("expiredLive", "live", { expiresAt: past })],
  [keys.revoked, found("revoked", "test", { revokedAt: past })]
])

const settings: Settings = {
  port: 0,
  host: "127.0.0.1",
  publicUrl: "https://risk.example",
  databaseUrl: null,
  databaseUrlControl: null,
  databaseUrlLive: null,
  databaseUrlTest: null,
  distributed: null,
  dataDirectory: "/nonexistent",
  keyPeppers: null,
  evidenceKey: null,
  rulesVersion: null,
  ruleEngine: "compiled",
  rateLimitLive: 1_000_000,
  rateLimitTest: 1_000_000,
  rateLimitAnonymous: 1_000_000,
  rateLimitStore: "memory",
  trustedProxies: [],
  adminPort: null,
  adminHost: "127.0.0.1",
  consolePort: null,
  consoleHost: "127.0.0.1",
  consoleUrl: null,
  mcpPort: null,
  mcpHost: "127.0.0.1",
  mcpOrigins: [],
  webhookAllowInsecure: null,
  reviewDueHours: 24,
  webhookSecret: null,
  serviceUrl: "http://127.0.0.1:3000",
  serviceKey: null,
  logFormat: "json",
  logLevel: "None",
  otlpEndpoint: null,
  otlpHeaders: Redacted.make({}),
  otlpProtocol: "http/protobuf",
  otelServiceName: "action-risk",
  otelResourceAttributes: {},
  otelDisabled: "false"
}

export const storedId = exampleResponse.assessment_id

/** A client that answers every statement alike. */
const sqlThat = (answer: Effect.Effect<ReadonlyArray<unknown>>) =>
  Object.assign(() => answer, { literal: String }) as unknown as SqlClient.SqlClient

interface Services {
  readonly settings?: Partial<Settings>
  readonly assess?: Assess["Service"]["assess"]
  readonly query?: Effect.Effect<ReadonlyArray<unknown>>
  /** Without it nothing is logged: the answers already show the faults that tests make on purpose. */
  readonly loggers?: ReadonlySet<Logger.Logger<unknown, unknown>>
  readonly findByHash?: ApiKeys["Service"]["findByHash"]
  /** Holds the rules that are listed and compared. */
  readonly root?: Root
}

/** Answers every assessment with the worked example, under the request's own id. */
export const assessExample: Assess["Service"]["assess"] = ({ drill, requestId }: AssessCall) =>
  drill === "rate-limited"
    ? Effect.fail(new RateLimited({ retryAfterSeconds: 1 }))
    : Effect.succeed({
        body: Buffer.from(JSON.stringify({ ...exampleResponse, request_id: requestId })),
        requestId,
        replayed: false,
        complete: true
      })

const exampleSecretAnswer = (requestId: string) => ({
  body: JSON.stringify({ ...exampleEndpointWithSecret, request_id: requestId }),
  requestId,
  replayed: false
})

/** The worked example as it would be stored. */
const exampleStored = ((): StoredEvidence => {
  const { evidence, input, ...answer } = exampleEvidence
  const digest = (hex: string) => Buffer.from(hex, "hex")
  return {
    assessmentId: answer.assessment_id,
    response: Buffer.from(JSON.stringify(answer)),
    resultDigest: digest(evidence.result_digest),
    input: Buffer.from(JSON.stringify(input)),
    inputDigest: digest(evidence.input_digest),
    behaviorSnapshot: Buffer.from(JSON.stringify(evidence.behavior_snapshot)),
    rulesDigest: digest(evidence.rules_digest),
    policyDigest: digest(evidence.policy_digest),
    seal: null
  }
})()

/** Whatever is stored in this server has the one id. */
const ifStored = <A>(id: string, value: A) =>
  id === storedId ? Effect.succeed(value) : Effect.fail(new NotFound())

const unused = () => Effect.die(new Error("not part of this test"))

export const testServer = (services: Services = {}): Layer.Layer<ListeningServer> =>
  HttpServerLive.pipe(
    Layer.provide([
      Layer.succeed(AppConfig, { ...settings, ...services.settings }),
      Layer.succeed(Assess, { assess: services.assess ?? assessExample }),
      Layer.succeed(EventStreams, { open: unused, head: unused }),
      Layer.succeed(Figures, {
        count: (_caller, { by }, requestId) =>
          Effect.succeed({ ...exampleStatistics, by, request_id: requestId }),
        tallies: unused,
        names: unused,
        asked: unused,
        openReviews: unused
      }),
      Layer.succeed(Assessments, {
        get: (_caller, id) =>
          id === storedId
            ? Effect.succeed({ body: Buffer.from(JSON.stringify(exampleEvidence)) })
            : Effect.fail(new NotFound()),
        list: (_caller, _query, requestId) =>
          Effect.succeed({ body: Buffer.from(JSON.stringify({ ...exampleList, request_id: requestId })) })
      }),
      Layer.succeed(RuleReleases, { root: services.root ?? packageRoot, open: unused }),
      Layer.succeed(OwnHistory, { backtest: () => Effect.succeed(null) }),
      Layer.succeed(RecordedAssessments, {
        find: (_caller, id) => ifStored(id, exampleStored),
        consider: (_caller, stored, question) =>
          inSteps(reconsiderSteps(stored, question, recordedRules(packageRoot)))
      }),
      Layer.succeed(Reviews, {
        list: (_caller, _query, requestId) => Effect.succeed({ ...exampleReviewList, request_id: requestId }),
        get: (_caller, id, requestId) =>
          id === storedId
            ? Effect.succeed({ ...exampleReview, request_id: requestId })
            : Effect.fail(new NotFound()),
        place: unused,
        close: (_caller, id, _closing, requestId) =>
          id === storedId
            ? Effect.succeed({ ...exampleReview, request_id: requestId })
            : Effect.fail(new NotFound())
      }),
      Layer.succeed(Outcomes, {
        report: (_call, id) =>
          ifStored(id, { body: exampleOutcome, requestId: exampleOutcome.request_id, replayed: false }),
        list: (_caller, id, requestId) => ifStored(id, { ...exampleOutcomeList, request_id: requestId })
      }),
      Layer.succeed(Endpoints, {
        create: ({ requestId }) => Effect.succeed(exampleSecretAnswer(requestId)),
        list: (_caller, _query, requestId) =>
          Effect.succeed({ ...exampleEndpointList, request_id: requestId }),
        get: (_caller, id, requestId) => ifStored(id, { ...exampleEndpoint, request_id: requestId }),
        change: (_caller, id, _changes, requestId) =>
          ifStored(id, { ...exampleEndpoint, request_id: requestId }),
        rotateSecret: ({ requestId }, id) => ifStored(id, exampleSecretAnswer(requestId)),
        remove: (_caller, id) => ifStored(id, undefined)
      }),
      Layer.succeed(Deliveries, {
        list: (_caller, id, _query, requestId) =>
          ifStored(id, { ...exampleDeliveryList, request_id: requestId }),
        test: (_caller, id, requestId) => ifStored(id, { ...exampleQueued, request_id: requestId }),
        redeliver: (_caller, id, requestId) => ifStored(id, { ...exampleQueued, request_id: requestId })
      }),
      Layer.succeed(ApiKeys, {
        create: unused,
        list: unused,
        revoke: unused,
        count: Effect.succeed(knownKeys.size),
        findByHash:
          services.findByHash ??
          ((hash) => Effect.succeed(Option.fromUndefinedOr(knownKeys.get(Buffer.from(hash).toString()))))
      }),
      Layer.succeed(KeyHasher, { hashes: (key) => [Buffer.from(key)] }),
      Layer.succeed(Scorer, {
        riskEngineVersion: exampleResponse.risk_engine_version,
        rulesDigest: "c".repeat(64),
        baseline: { ...baseline, establishedDaysMin: 1, establishedHoursMin: 1 },
        isLong: () => false,
        historyRecord: () => {
          throw new Error("not part of this test")
        },
        score: unused
      }),
      Logger.layer([...(services.loggers ?? [])]),
      Layer.succeed(ControlSql, sqlThat(services.query ?? Effect.succeed([])))
    ]),
    Layer.orDie
  )
