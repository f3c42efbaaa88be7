/** Rule files that cannot be used, and every reason why. */

import { Schema } from "effect"
import { type Finding, renderFinding } from "./Problem.ts"

const shownMax = 5

export class RulesRefused extends Schema.TaggedError<RulesRefused>()("RulesRefused", {
  /** Each names its file and the place in it. */
  findings: Schema.Array(Schema.String)
}) {
  static of(findings: ReadonlyArray<Finding>): RulesRefused {
    return new RulesRefused({ findings: findings.map(renderFinding) })
  }

  /** One line. */
  override get message(): string {
    const more = this.findings.length - shownMax
    const shown = this.findings.slice(0, shownMax).join("; ")
    return more > 0 ? `${shown}; and ${more} more` : shown
  }
}
