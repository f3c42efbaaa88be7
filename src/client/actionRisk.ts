/** The client: asks the service how risky an action is, using only `fetch`, and always returns an answer. */

import { answerBytesMax, idempotencyKeyMax } from "../limits.ts"
import {
  type Answer,
  type NoOpinion,
  noOpinion,
  readAnswer,
  type ReadResponse,
  retryAfterSecondsOf
} from "./Answer.ts"
import type { ProposedAction } from "./Assessment.ts"
import { questionAboutTool, type ToolCallAsked } from "./toolQuestion.ts"
import { type OutcomeReported, type Reported, readReported, toReported } from "./Reported.ts"
import { pauseAfter, retryAfterMs, type RetryRule, retryRule } from "./retry.ts"

export interface ClientOptions extends Partial<RetryRule> {
  /** The base URL of the service: `https://risk.example`. */
  readonly baseUrl: string | URL
  /** `svc_test_…` or `svc_live_…` */
  readonly key: string
  /** Adds headers to an attempt, such as `traceparent`. It cannot replace the client's own headers. */
  readonly propagate?: ((headers: Record<string, string>) => void) | undefined
}

export interface AskOptions {
  /** Identifies the question, so that asking again returns the stored answer. Use the id of the tool call. Default: random. */
  readonly questionId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface OutcomeOptions {
  /** Identifies the event, so that reporting it again stores it only once. Default: random. */
  readonly eventId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RiskClient {
  /** Never rejects: every failure is an answer without an opinion. */
  readonly ask: (action: ProposedAction, options?: AskOptions) => Promise<Answer>
  /** The same for a tool call: its name and its arguments suffice. */
  readonly askAboutTool: (call: ToolCallAsked, options?: AskOptions) => Promise<Answer>
  /** Reports what happened to an assessed action. Needs a key with the scope `outcomes`. Never rejects either. */
  readonly report: (
    assessmentId: string,
    event: OutcomeReported,
    options?: OutcomeOptions
  ) => Promise<Reported>
}

/** Throws a TypeError if the URL, the key or a figure can never work. */
export const actionRisk = (options: ClientOptions): RiskClient => {
  const rule = retryRule(options)
  const urlOf = pathsBelow(options.baseUrl)
  if (!/^[\x21-\x7e]+$/.test(options.key)) throw new TypeError("the key is empty, or not printable ASCII")
  const { key, propagate } = options
  const ask: RiskClient["ask"] = async (action, { questionId = crypto.randomUUID(), signal } = {}) => {
    const question = questionOf("action", action, questionId)
    if ("opinion" in question) return question
    const url = urlOf("actions/assess")
    return askUntil({ ...question, url, rule, key, propagate }, readAnswer, signal)
  }
  return {
    ask,
    askAboutTool: (call, given) => ask(questionAboutTool(call), given),
    report: async (assessmentId, event, { eventId = crypto.randomUUID(), signal } = {}) => {
      const question = questionOf("event", event, eventId)
      if ("opinion" in question) return toReported(question)
      const url = urlOf(`assessments/${encodeURIComponent(assessmentId)}/events`)
      return toReported(await askUntil({ ...question, url, rule, key, propagate }, readReported, signal))
    }
  }
}

/** Keeps any path of the base URL: `https://gateway.example/risk`. Throws if the base can never work. */
const pathsBelow = (base: string | URL): ((path: string) => URL) => {
  const url = new URL("api/v1/", `${String(base).replace(/\/+$/, "")}/`)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must begin with http:// or https://")
  if (url.username !== "" || url.password !== "") throw new TypeError("baseUrl must not contain credentials")
  return (path) => new URL(path, url)
}

interface Question {
  readonly body: string
  readonly questionId: string
}

const refused = (field: string, message: string): NoOpinion =>
  noOpinion("VALIDATION_FAILED", `the request could not be sent: ${field} ${message}`, {
    details: [{ field, message }]
  })

/** `what`: the name of the body in an error message. */
const questionOf = (what: string, asked: object, questionId: string): Question | NoOpinion => {
  if (
    typeof questionId !== "string" ||
    !/^[\x21-\x7e]+$/.test(questionId) ||
    questionId.length > idempotencyKeyMax
  )
    return refused("idempotency-key", `must be 1 to ${idempotencyKeyMax} characters of printable ASCII`)
  try {
    const body: string | undefined = JSON.stringify(asked)
    return body === undefined ? refused(what, "must be an object") : { body, questionId }
  } catch (cause) {
    return refused(what, `cannot be written as JSON: ${messageOf(cause)}`)
  }
}

interface Asking extends Question {
  readonly url: URL
  readonly rule: RetryRule
  readonly key: string
  readonly propagate: ClientOptions["propagate"]
}

interface Attempt<A> {
  readonly answer: A | NoOpinion
  /** How long the service asked to wait. */
  readonly retryAfterMs: number
}

const aborted = noOpinion("ABORTED", "the request was cancelled before it was answered")

/** Reads a response, or returns why it cannot be used. */
type Reader<A> = (response: ReadResponse) => A | NoOpinion

const askUntil = async <A extends object>(
  asking: Asking,
  read: Reader<A>,
  signal: AbortSignal | undefined
): Promise<A | NoOpinion> => {
  const { attemptMs, attemptsMax, deadlineMs } = asking.rule
  const end = performance.now() + deadlineMs
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return aborted
    const { answer, retryAfterMs } = await within(
      Math.min(attemptMs, end - performance.now()),
      signal,
      (stop) => attemptOnce(asking, read, stop)
    )
    if (!("retryable" in answer) || !answer.retryable || attempt >= attemptsMax) return answer
    const pauseMs = pauseAfter(attempt, retryAfterMs, Math.random())
    if (performance.now() + pauseMs >= end) return answer
    await pause(pauseMs, signal)
  }
}

/** One attempt with its own time limit. If the limit or the caller ends it, the reason of `stop` is the answer. */
const within = async <A>(
  ms: number,
  signal: AbortSignal | undefined,
  attempt: (stop: AbortSignal) => Promise<Attempt<A>>
): Promise<Attempt<A>> => {
  const stop = new AbortController()
  const giveUp = () => stop.abort(aborted)
  const timer = setTimeout(() => stop.abort(timedOut), ms)
  signal?.addEventListener("abort", giveUp, { once: true })
  try {
    return await attempt(stop.signal)
  } catch (cause) {
    return {
      answer: stop.signal.aborted ? (stop.signal.reason as NoOpinion) : unreachable(cause),
      retryAfterMs: 0
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
  }
}

const timedOut = noOpinion("TIMED_OUT", "the service did not answer in time", { retryable: true })

/** `fetch` only reports "fetch failed"; its cause has the reason: `connect ECONNREFUSED 127.0.0.1:3000`. */
const unreachable = (cause: unknown): NoOpinion =>
  noOpinion("UNREACHABLE", `the service cannot be reached: ${messageOf(cause)}`, { retryable: true })

const messageOf = (cause: unknown): string => {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  return inner instanceof Error ? inner.message : String(inner)
}

const attemptOnce = async <A>(
  asking: Asking,
  understand: Reader<A>,
  stop: AbortSignal
): Promise<Attempt<A>> => {
  const request = requestOf(asking, stop)
  if ("opinion" in request) return { answer: request, retryAfterMs: 0 }
  const response = await fetch(request)
  const read: ReadResponse = {
    status: response.status,
    opinion: response.headers.get("svc-risk-opinion"),
    body: await textOf(response)
  }
  const waitMs = retryAfterMs(response.headers.get("retry-after"), retryAfterSecondsOf(read), Date.now())
  return { answer: understand(read), retryAfterMs: waitMs }
}

const requestOf = (asking: Asking, stop: AbortSignal): Request | NoOpinion => {
  try {
    const headers: Record<string, string> = {}
    asking.propagate?.(headers)
    const all = new Headers(headers)
    all.set("authorization", `Bearer ${asking.key}`)
    all.set("content-type", "application/json")
    all.set("idempotency-key", asking.questionId)
    // A redirect would carry the action to an unintended receiver.
    return new Request(asking.url, {
      method: "POST",
      headers: all,
      body: asking.body,
      redirect: "manual",
      signal: stop
    })
  } catch (cause) {
    return refused("propagate", `returned headers that cannot be sent: ${messageOf(cause)}`)
  }
}

/** Null if it is longer than an answer can be, or not UTF-8. */
const textOf = async (response: Response): Promise<string | null> => {
  if (response.body === null) return ""
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of readAll(response.body)) {
    length += chunk.length
    if (length > answerBytesMax) return null
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    if (cause instanceof TypeError) return null
    throw cause
  }
}

/** In some browsers, streams are not iterable. Leaving the loop early cancels the rest. */
async function* readAll(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener("abort", end, { once: true })
    if (signal?.aborted) end()
  })
