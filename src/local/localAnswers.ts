/** Answers questions in the process that asks: with the newest installed release, without a service, a database or a key. */

/*
 * The score is that of the service for an organization that asks for the first time and has no policies. Nothing here reads environment
 * variables, because a workspace can set those of an agent's process.
 */

import { Effect, Result } from "effect"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import { encodeSnapshot } from "../assessment/encode.ts"
import { unstoredAnswer } from "../assessment/unstoredAnswer.ts"
import { type Answer, noOpinion } from "../client/Answer.ts"
import type { ProposedAction } from "../client/Assessment.ts"
import { policyVersionOf, riskEngineVersionOf } from "../domain/versionNames.ts"
import type { JsonObject } from "../json/json.ts"
import { strictJson } from "../json/strictJson.ts"
import { bodyBytesMax, localNodeMajorMin } from "../limits.ts"
import { readingIn, snapshotOf } from "../rules/cases/Situation.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { ruleReleasesAt } from "../rules/ruleReleases.ts"
import { loadPolicySet } from "../rules/policies/loadPolicySet.ts"
import { RuleReleases } from "../rules/servedRules.ts"
import { score } from "../scoring/score.ts"
import { keepLine } from "./opinionsFile.ts"

const openInstalled = async () => {
  if (Number.parseInt(process.versions.node, 10) < localNodeMajorMin)
    throw new Error(`they need Node ${localNodeMajorMin} or newer, and this is Node ${process.versions.node}`)
  const open = RuleReleases.use((releases) => releases.open("newest"))
  const { model } = await Effect.runPromise(Effect.provide(open, ruleReleasesAt(packageRoot)))
  return { model, policies: loadPolicySet(packageRoot, "none").policySet }
}

type Installed = Awaited<ReturnType<typeof openInstalled>>

let opened: Installed | undefined

/** Opened once per process, unless that fails: a gate lives long, and a hook asks only once. */
const installed = async (): Promise<Installed> => (opened ??= await openInstalled())

/** `<engine semver>+<rules version>.<8 hex>`: the version that answers here. */
export const localEngineVersion = async (): Promise<string> => riskEngineVersionOf((await installed()).model)

interface Asked {
  /** As it would be sent on the wire. */
  readonly body: JsonObject
  readonly action: Parameters<typeof score>[0]
}

/** The answer, and the line to store: an assessment in the export format, without the digests of a chain. */
const assess = ({ action, body }: Asked, { model, policies }: Installed, nowMs: number) => {
  const startedAtMs = performance.now()
  const behavior = snapshotOf(
    { request: action, history: { now: new Date(nowMs).toISOString(), earlier: [] } },
    model,
    policies
  )
  const opinion = score(action, behavior, model, policies, readingIn(model, action))
  const total = performance.now() - startedAtMs
  const response = unstoredAnswer(opinion, {
    riskEngineVersion: riskEngineVersionOf(model),
    policyVersion: policyVersionOf(policies),
    mode: "live",
    nowMs,
    timing: { total, validation: 0, behavior: 0, scoring: total, policy: 0 }
  })
  const evidence = {
    behavior_snapshot: encodeSnapshot(behavior),
    rules_digest: model.digest,
    policy_digest: policies.digest
  }
  return { response, line: JSON.stringify({ ...response, input: body, evidence }) }
}

/** Reads the question with the service's own reader, so that whatever a service rejects gets no opinion here either. */
const readQuestion = (question: ProposedAction): Asked | Answer => {
  const bytes = Buffer.from(JSON.stringify(question))
  if (bytes.length > bodyBytesMax)
    return noOpinion("PAYLOAD_TOO_LARGE", `the request is larger than ${bodyBytesMax} bytes`)
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return noOpinion("MALFORMED_JSON", json.failure)
  const read = readActionRequest(json.success.value, json.success.holdsNul)
  if (Result.isSuccess(read)) return read.success
  const { details } = validationFailed(read.failure)
  return noOpinion("VALIDATION_FAILED", "the request is not one that local mode answers", { details })
}

const keepOrSay = (file: string, line: string): void => {
  try {
    keepLine(file, line)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`action-risk: the opinion was not kept: ${why.replaceAll("\n", " ")}\n`)
  }
}

/** Never rejects. `opinionsFile`: where to store the opinion; null to store nothing. A failure to store it does not change the answer. */
export const answerLocally = async (
  question: ProposedAction,
  opinionsFile: string | null
): Promise<Answer> => {
  try {
    const asked = readQuestion(question)
    if ("opinion" in asked) return asked
    const { line, response } = assess(asked, await installed(), Date.now())
    if (opinionsFile !== null) keepOrSay(opinionsFile, line)
    return {
      opinion: response.assessment_status === "complete" ? "full" : "partial",
      assessment: response
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return noOpinion("ASSESSMENT_UNAVAILABLE", `the installed rules gave none: ${why}`)
  }
}
