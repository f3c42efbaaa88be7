/** Reports the outcome of calls to the service, if the owner provided a key for it. No call waits for a report. */

import { actionRisk } from "../client/actionRisk.ts"
import type { OutcomeEventType } from "../domain/OutcomeEvent.ts"
import { outcomesUnderWayMax, outcomeTellMs } from "../limits.ts"
import { readable } from "./askAbout.ts"
import type { OwnerSettings } from "./settings.ts"

type Reporting = Pick<OwnerSettings, "outcomesKey" | "serviceUrl">

/** Undefined if the event was stored or reports are off. Otherwise the reason why it may not have been stored. */
export const reportOutcome = async (
  { outcomesKey: key, serviceUrl: baseUrl }: Reporting,
  assessmentId: string | null,
  type: OutcomeEventType
): Promise<string | undefined> => {
  if (key === "" || baseUrl === null || assessmentId === null) return undefined
  try {
    const client = actionRisk({ baseUrl, key, deadlineMs: outcomeTellMs })
    // Each kind of event is reported once per assessment, even if a host runs its hook repeatedly.
    const told = await client.report(assessmentId, { type }, { eventId: `action-risk-agent:${type}` })
    return told.reported ? undefined : `${type} was not reported (${told.code}): ${told.message}`
  } catch (cause) {
    return `${type} was not reported: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** Reports that a program sends in the background. */
export class OutcomeReports {
  private readonly underWay = new Set<Promise<void>>()

  /** A failed report is only written to standard error. */
  tell(owner: Reporting, assessmentId: string | null, ...types: ReadonlyArray<OutcomeEventType>): void {
    for (const type of types) {
      if (this.underWay.size >= outcomesUnderWayMax) {
        process.stderr.write(`${type} was not reported: too many reports at once\n`)
        return
      }
      const report = this.report(owner, assessmentId, type).finally(() => this.underWay.delete(report))
      this.underWay.add(report)
    }
  }

  private async report(owner: Reporting, assessmentId: string | null, type: OutcomeEventType): Promise<void> {
    const problem = await reportOutcome(owner, assessmentId, type)
    if (problem !== undefined) process.stderr.write(`${readable(problem)}\n`)
  }

  /** Finishes, because each report has a time limit. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay)
  }
}
