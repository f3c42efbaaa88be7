/** Scores what was answered with a second release too, out of everybody's way, and keeps that beside the evidence. */

import { Context, Effect, Layer } from "effect"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Owner } from "../storage/AssessmentRecord.ts"
import { ShadowOpinions } from "../storage/ShadowOpinions.ts"
import { makeFollower } from "./shadow/follower.ts"
import { ShadowRelease } from "./ShadowRelease.ts"

/** An assessment that is stored: the very input and snapshot that its answer was made from. */
export interface Kept {
  readonly owner: Owner
  readonly assessmentId: string
  readonly action: Action
  readonly behavior: Behavior
  readonly policySet: string
}

/** Takes no time and cannot fail. */
export type Follow = (kept: Kept) => void

/** Where no shadow is provided nothing follows. */
export class Shadow extends Context.Reference<{ readonly follow: Follow }>("action-risk/assessment/Shadow", {
  defaultValue: () => ({ follow: () => {} })
}) {
  /** Needs `ModeSql` and `ShadowRelease`. */
  static readonly layer = Layer.effect(
    Shadow,
    Effect.gen(function* () {
      const release = yield* ShadowRelease
      return release === null ? Shadow.defaultValue() : { follow: yield* makeFollower(release) }
    })
  ).pipe(Layer.provide(ShadowOpinions.layer))
}
