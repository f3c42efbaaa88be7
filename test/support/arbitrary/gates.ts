/** AgentGate files, valid and broken, and answers of every kind, genuine and forged. */

import fc from "fast-check"
import type { GateFile } from "../../../src/agents/GateFile.ts"
import { handedExtents } from "../../../src/agents/handedArguments.ts"
import { exampleResponse } from "../../../src/api/examples/examples.ts"
import type { Answer } from "../../../src/client/Answer.ts"
import { actionRiskLevels, controlTypes } from "../../../src/domain/Opinion.ts"

const threshold = fc.record(
  { level: fc.constantFrom(...actionRiskLevels), control: fc.constantFrom(...controlTypes) },
  { requiredKeys: [] }
)
const cautious = fc.constantFrom("ask_person" as const, "refuse" as const)

export const gateFile: fc.Arbitrary<GateFile> = fc.record(
  {
    version: fc.constant(1 as const),
    mode: fc.constantFrom("gate" as const, "observe" as const),
    ask_person_from: threshold,
    refuse_from: threshold,
    no_opinion: cautious,
    partial: cautious,
    unmapped_tool: cautious,
    unread_arguments: cautious,
    arguments: fc.constantFrom(...handedExtents),
    not_asked: fc.array(
      fc.record({
        tools: fc.array(fc.constantFrom("Read", "Grep", "Bash"), { minLength: 1, maxLength: 3 }),
        why: fc.constant("checkout only"),
        review_by: fc.constantFrom("2026-01-01", "2027-06-30")
      }),
      { maxLength: 3 }
    )
  },
  { requiredKeys: ["version"] }
)

export const opinionAnswer: fc.Arbitrary<Answer> = fc
  .record({
    opinion: fc.constantFrom("full" as const, "partial" as const),
    level: fc.constantFrom(...actionRiskLevels),
    type: fc.constantFrom(...controlTypes)
  })
  .map(({ level, opinion, type }) => ({
    opinion,
    assessment: {
      ...exampleResponse,
      action_risk: { ...exampleResponse.action_risk, level },
      recommended_control: { ...exampleResponse.recommended_control, type }
    }
  }))

/** Values that a careless or hostile program could pass instead of an answer. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything(),
  fc.record({ opinion: fc.constantFrom("full", "partial", "none", "FULL"), assessment: fc.anything() }),
  opinionAnswer.chain((answer) =>
    fc.constantFrom("action_risk", "recommended_control", "assessment_id", "risk_factors").map((gone) => ({
      ...answer,
      assessment: { ...("assessment" in answer ? answer.assessment : {}), [gone]: undefined }
    }))
  ),
  fc.record({
    opinion: fc.constant("none"),
    code: fc.constant("UNREACHABLE"),
    assessment: fc.constant(exampleResponse)
  })
)
