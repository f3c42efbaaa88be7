/** `action-risk.gate.json`: from which level and which control the owner of an agent wants a person to be asked. No setting lets a call without an opinion pass. */

import { type ActionRiskLevel, actionRiskLevels, type ControlType, controlTypes } from "../domain/Opinion.ts"
import { gateExceptionsMax, gateReasonMax, gateToolsMax, toolNameMax } from "../limits.ts"
import { aChoice, aDay, aList, anObject, aText, type FileShape, maybe } from "./fileShape.ts"
import { type HandedExtent, handedExtents } from "./handedArguments.ts"

/** Mildest first. `no_objection` means silence: the host's own permissions still apply. */
export const steps = ["no_objection", "ask_person", "refuse"] as const
export type Step = (typeof steps)[number]

type Cautious = Exclude<Step, "no_objection">

interface Threshold {
  readonly level?: ActionRiskLevel
  readonly control?: ControlType
}

interface NotAsked {
  readonly tools: ReadonlyArray<string>
  readonly why: string
  readonly review_by: string
}

export interface GateFile {
  readonly version: 1
  readonly mode?: "gate" | "observe"
  readonly ask_person_from?: Threshold
  readonly refuse_from?: Threshold
  readonly no_opinion?: Cautious
  readonly partial?: Cautious
  readonly unmapped_tool?: Cautious
  readonly unread_arguments?: Cautious
  readonly arguments?: HandedExtent
  readonly not_asked?: ReadonlyArray<NotAsked>
}

const threshold = (description: string): FileShape<Threshold> =>
  anObject<Threshold>(
    {
      level: maybe(aChoice(actionRiskLevels)),
      control: maybe(aChoice(controlTypes, "Policies may raise only the control, so both count."))
    },
    undefined,
    description
  )

const cautious = (description: string): FileShape<Cautious> => aChoice(["ask_person", "refuse"], description)

export const gateShape: FileShape<GateFile> = anObject<GateFile>({
  version: aChoice([1]),
  mode: maybe(aChoice(["gate", "observe"], "observe asks the service but never interferes with a call.")),
  ask_person_from: maybe(threshold("A person is asked at this level or control and above.")),
  refuse_from: maybe(threshold("The call is refused at this level or control and above.")),
  no_opinion: maybe(cautious("The step if the service gives no opinion.")),
  partial: maybe(cautious("The step if a part of the evaluation failed.")),
  unmapped_tool: maybe(
    cautious(
      "The step for a tool that action-risk.tools.json does not name. Absent: the opinion decides, but a person is asked if only names are sent."
    )
  ),
  unread_arguments: maybe(
    cautious("The step if an argument that could say what is done was not sent or not understood.")
  ),
  arguments: maybe(aChoice(handedExtents, "How much of the arguments is sent (default: all of them).")),
  not_asked: maybe(
    aList(
      anObject<NotAsked>({
        tools: aList(aText(toolNameMax), gateToolsMax, 1),
        why: aText(gateReasonMax),
        review_by: aDay("The last day (UTC) on which these tools are not asked about.")
      }),
      gateExceptionsMax
    )
  )
})

/** The gate settings after defaults are filled in. */
export interface AgentGate {
  readonly mode: "gate" | "observe"
  readonly askPersonFrom: Required<Threshold>
  readonly refuseFrom: Threshold
  readonly noOpinion: Cautious
  readonly partial: Cautious
  readonly unmappedTool: Step
  readonly unreadArguments: Cautious
  readonly extent: HandedExtent
  readonly notAsked: ReadonlyArray<NotAsked>
}

/** Defaults for members that the owner omits. */
export const defaultGate: AgentGate = {
  mode: "gate",
  askPersonFrom: { level: "moderate", control: "HUMAN_CONFIRMATION_RECOMMENDED" },
  refuseFrom: { level: "critical" },
  noOpinion: "ask_person",
  partial: "ask_person",
  unmappedTool: "no_objection",
  unreadArguments: "ask_person",
  extent: "whole",
  notAsked: []
}

export const gateOf = (file: GateFile): AgentGate => ({
  mode: file.mode ?? defaultGate.mode,
  askPersonFrom: { ...defaultGate.askPersonFrom, ...file.ask_person_from },
  refuseFrom: file.refuse_from ?? defaultGate.refuseFrom,
  noOpinion: file.no_opinion ?? defaultGate.noOpinion,
  partial: file.partial ?? defaultGate.partial,
  // With only the name, there is no telling what a call does.
  unmappedTool: file.unmapped_tool ?? (file.arguments === "names" ? "ask_person" : defaultGate.unmappedTool),
  unreadArguments: file.unread_arguments ?? defaultGate.unreadArguments,
  extent: file.arguments ?? defaultGate.extent,
  notAsked: file.not_asked ?? []
})

/** Whichever of two values comes earlier in `order`, or the only one that is defined. */
const earlier = <A extends string>(order: ReadonlyArray<A>, one: A | undefined, other: A | undefined) => {
  if (one === undefined || other === undefined) return one ?? other
  return order.indexOf(one) <= order.indexOf(other) ? one : other
}

const stricterThreshold = (one: Threshold, other: Threshold): Threshold => {
  const level = earlier(actionRiskLevels, one.level, other.level)
  const control = earlier(controlTypes, one.control, other.control)
  return { ...(level !== undefined && { level }), ...(control !== undefined && { control }) }
}

export const severerStep = <A extends Step>(one: A, other: A): A =>
  steps.indexOf(one) >= steps.indexOf(other) ? one : other

/**
 * A workspace contains whatever was checked out, and an agent can write there. So a gate file in it may make the gate ask more often, never
 * less.
 */
export const tightened = (gate: AgentGate, workspace: GateFile): AgentGate => ({
  mode: workspace.mode === "gate" ? "gate" : gate.mode,
  // Invariant: a threshold with both members keeps both.
  askPersonFrom: stricterThreshold(
    gate.askPersonFrom,
    workspace.ask_person_from ?? {}
  ) as Required<Threshold>,
  refuseFrom: stricterThreshold(gate.refuseFrom, workspace.refuse_from ?? {}),
  noOpinion: severerStep(gate.noOpinion, workspace.no_opinion ?? gate.noOpinion),
  partial: severerStep(gate.partial, workspace.partial ?? gate.partial),
  unmappedTool: severerStep(gate.unmappedTool, workspace.unmapped_tool ?? gate.unmappedTool),
  unreadArguments: severerStep(gate.unreadArguments, workspace.unread_arguments ?? gate.unreadArguments),
  extent: gate.extent,
  notAsked: gate.notAsked
})

/** `day`: today in UTC, such as 2027-06-30. */
export const isAsked = (gate: AgentGate, tool: string, day: string): boolean =>
  !gate.notAsked.some(({ review_by: last, tools }) => day <= last && tools.includes(tool))
