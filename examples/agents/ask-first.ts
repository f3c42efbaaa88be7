/**
 * An agent that asks before it acts, in plain TypeScript and fetch.
 *
 *     ACTION_RISK_KEY=svc_test_… npx node examples/agents/ask-first.ts examples/requests/stripe-refund.json
 *
 * What it does with an opinion is this agent's own rule, written below. The service only advises.
 */

import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"

const baseUrl = process.env["ACTION_RISK_URL"] ?? "http://127.0.0.1:3000"
const key = process.env["ACTION_RISK_KEY"] ?? ""
const timeoutMs = 5_000
const attemptsMax = 3
const pauseSecondsMax = 10

interface Assessment {
  readonly assessment_id: string
  readonly action_risk: { readonly score: number; readonly level: "low" | "moderate" | "high" | "critical" }
  readonly recommended_control: { readonly type: string; readonly because: ReadonlyArray<string> }
}

interface Failure {
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean }
}

/** `none` is never low risk: without an opinion a person has to look. */
type Answer =
  | { readonly opinion: "full" | "partial"; readonly assessment: Assessment }
  | { readonly opinion: "none"; readonly reason: string }

type Step = "go ahead" | "ask the user to confirm" | "hand over to a human"

/** One logical question has one idempotency key, however often it has to be sent. */
const ask = async (request: unknown): Promise<Answer> => {
  const idempotencyKey = randomUUID()
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(new URL("/api/v1/actions/assess", baseUrl), {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey
        },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(timeoutMs)
      })
      const opinion = response.headers.get("svc-risk-opinion")
      if (response.ok && (opinion === "full" || opinion === "partial")) {
        return { opinion, assessment: (await response.json()) as Assessment }
      }
      const { error } = (await response.json()) as Failure
      const pauseSeconds = Number(response.headers.get("retry-after") ?? 1)
      if (!error.retryable || pauseSeconds > pauseSecondsMax || attempt === attemptsMax) {
        return { opinion: "none", reason: `${error.code}: ${error.message}` }
      }
      await new Promise((resume) => setTimeout(resume, pauseSeconds * 1_000))
    } catch (cause) {
      if (attempt === attemptsMax) return { opinion: "none", reason: `no answer: ${String(cause)}` }
    }
  }
}

/** This agent's rule. Yours may differ; what it does on `none` and `partial` should not. */
const nextStep = (answer: Answer): Step => {
  if (answer.opinion !== "full") return "hand over to a human"
  switch (answer.assessment.action_risk.level) {
    case "low":
      return "go ahead"
    case "moderate":
      return "ask the user to confirm"
    default:
      return "hand over to a human"
  }
}

const [file = "examples/requests/stripe-refund.json"] = process.argv.slice(2)
const answer = await ask(JSON.parse(readFileSync(file, "utf8")))

if (answer.opinion === "none") {
  console.log(`No opinion. ${answer.reason}`)
} else {
  const { action_risk: risk, assessment_id: id, recommended_control: control } = answer.assessment
  console.log(`${risk.level} (${risk.score} of 100), ${control.type}: ${control.because[0]}`)
  console.log(`Evidence: ${new URL(`/api/v1/assessments/${id}`, baseUrl)}`)
}
console.log(`Next: ${nextStep(answer)}.`)
