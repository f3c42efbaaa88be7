/** The providers' own names, prepared for looking up. */

import type { ActionClass, Extent, SafeguardRank } from "../../domain/ActionType.ts"
import type { Verb } from "./Vocabulary.ts"

/** An action as a provider means it; a flag left undefined is read from the words. */
export interface NativeReading {
  readonly type: string
  readonly class: ActionClass
  readonly extent: Extent
  readonly verb: Verb | undefined
  readonly dataStore: boolean | undefined
  readonly admin: boolean | undefined
  readonly credential: boolean | undefined
  readonly alsoExports: boolean
  /** Undefined: its type and its targets tell. */
  readonly safeguard: SafeguardRank | undefined
}

export interface NativeIndex {
  /** By `structuredKey`. */
  readonly exact: ReadonlyMap<string, NativeReading>
  /** By `flatKey`: names spelled without their inner structure, `s3_delete_bucket`. */
  readonly flat: ReadonlyMap<string, NativeReading>
}

export interface Natives {
  /** Names that need no provider in front. */
  readonly anywhere: NativeIndex
  /** The other names of a provider, by the words that stand in front of them. */
  readonly byPrefix: ReadonlyMap<string, NativeIndex>
}
