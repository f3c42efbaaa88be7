/** Applies the signals of parameters to an act. Signals raise it; a signal lowers it only if none raises it. */

import { type ActionClass, type DataClassification, dataClassifications } from "../../domain/Action.ts"
import { type ActExtent, extents, higher, type Impact, impacts } from "./Act.ts"
import { isForClass, type Signal } from "./readArguments.ts"
import type { ObjectKind } from "./Vocabulary.ts"

export interface Weighable {
  readonly class: ActionClass
  readonly impact: Impact
  readonly extent: ActExtent
  readonly holds: DataClassification
  readonly anywhere: boolean
  readonly weakens: boolean
  readonly credential: boolean
  readonly kind: ObjectKind
  readonly verb: string | undefined
}

export const appliesTo = (signal: Signal, act: Weighable): boolean =>
  isForClass(signal, act.class) &&
  signal.verbs?.includes(act.verb ?? "") !== false &&
  signal.unlessVerbs?.includes(act.verb ?? "") !== true &&
  signal.kinds?.includes(act.kind) !== false &&
  signal.exceptKinds?.includes(act.kind) !== true

const exposesSecrets = ({ holds }: Weighable, { exposes }: Signal): boolean =>
  exposes === true && dataClassifications.indexOf(holds) >= dataClassifications.indexOf("restricted")

/** The impact that a signal asks for. */
export const impactAskedBy = (signal: Signal, act: Weighable): Impact | undefined =>
  exposesSecrets(act, signal) ? "critical" : signal.impact

const raisedBy = <A extends Weighable>(act: A, signal: Signal): A => ({
  ...act,
  class: signal.class ?? act.class,
  impact: higher(impacts, act.impact, impactAskedBy(signal, act)),
  extent: higher(extents, act.extent, signal.extent),
  holds: higher(dataClassifications, act.holds, signal.holds),
  anywhere: act.anywhere || signal.anywhere === true,
  weakens: act.weakens || signal.weakens === true,
  credential: act.credential || signal.credential === true
})

const loweredBy = <A extends Weighable>(act: A, signal: Signal): A => {
  const least = impacts.indexOf(signal.to ?? "low")
  const fallen = signal.by === undefined ? least : impacts.indexOf(act.impact) - signal.by
  const impact = impacts[Math.max(least, fallen)] ?? act.impact
  if (impacts.indexOf(impact) > impacts.indexOf(act.impact)) return act
  return { ...act, impact, class: signal.class ?? act.class }
}

/**
 * An act with its signals. Signals that raise come first. One that lowers counts only if none of them asks for an impact: `dry_run=true`
 * next to `acl=public` lowers nothing.
 */
export const withSignals = <A extends Weighable>(act: A, signals: ReadonlyArray<Signal>): A => {
  const applying = signals.filter((signal) => appliesTo(signal, act))
  let raised = act
  for (const signal of applying) if (signal.lowers !== true) raised = raisedBy(raised, signal)
  if (
    raised.impact !== act.impact ||
    applying.some(({ impact, lowers }) => impact !== undefined && lowers !== true)
  )
    return raised
  for (const signal of applying) if (signal.lowers === true) raised = loweredBy(raised, signal)
  return raised
}
