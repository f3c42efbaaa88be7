/**
 * An agent that asks before it acts, in plain TypeScript and fetch.
 *
 *     ACTION_RISK_KEY=svc_test_… npx node examples/agents/ask-first.ts examples/requests/stripe-refund.json
 *
 * The service only advises. `nextStep` below is this agent's own rule for what it does with the advice.
 * Exit code: 0 after an answer of the service, 1 when no service answers.
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

/** Without an opinion the risk counts as unknown, never as low: a human has to look at the action. */
type Answer =
  | { readonly opinion: "full" | "partial"; readonly assessment: Assessment }
  | { readonly opinion: "none"; readonly reason: string; readonly answered: boolean }

type Step = "go ahead" | "ask the user to confirm" | "hand over to a human"

/** Every attempt sends the same idempotency key, so that a retry is not a second assessment. */
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
        return { opinion: "none", reason: `${error.code}: ${error.message}`, answered: true }
      }
      await new Promise((resume) => setTimeout(resume, pauseSeconds * 1_000))
    } catch (cause) {
      if (attempt === attemptsMax) return { opinion: "none", reason: reasonOf(cause), answered: false }
    }
  }
}

/** `fetch` only says "fetch failed"; its cause says why: `connect ECONNREFUSED 127.0.0.1:3000`. */
const reasonOf = (failure: unknown): string => {
  const cause = failure instanceof Error ? (failure.cause ?? failure) : failure
  return cause instanceof Error ? cause.message : String(cause)
}

/** Controls that ask for no person. Whatever else is recommended does, also one that is new to this agent. */
const controlsWithoutPerson = [
  "NO_ADDITIONAL_CONTROL_RECOMMENDED",
  "ENHANCED_LOGGING_RECOMMENDED",
  "CONTEXT_COMPLETION_RECOMMENDED",
  "STAGED_EXECUTION_RECOMMENDED"
]

/** This agent's rule. Your rule may differ, but it should hand over on `none` and `partial` too. */
const nextStep = (answer: Answer): Step => {
  if (answer.opinion !== "full") return "hand over to a human"
  const { action_risk: risk, recommended_control: control } = answer.assessment
  switch (risk.level) {
    case "low":
      return controlsWithoutPerson.includes(control.type) ? "go ahead" : "ask the user to confirm"
    case "moderate":
      return "ask the user to confirm"
    default:
      return "hand over to a human"
  }
}

const [file = "examples/requests/stripe-refund.json"] = process.argv.slice(2)
const answer = await ask(JSON.parse(readFileSync(file, "utf8")))

if (answer.opinion === "none") {
  if (answer.answered) console.log(`No opinion. ${answer.reason}`)
  else {
    console.error(`no service answers at ${baseUrl} (${answer.reason}): start one with \`npm start\``)
    process.exitCode = 1
  }
} else {
  const { action_risk: risk, assessment_id: id, recommended_control: control } = answer.assessment
  console.log(`${risk.level} (${risk.score} of 100), ${control.type}: ${control.because[0]}`)
  console.log(`Evidence: ${new URL(`/api/v1/assessments/${id}`, baseUrl)}`)
}
console.log(`Next: ${nextStep(answer)}.`)
