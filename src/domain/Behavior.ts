/** The history of an organization that is relevant to one action, read once and stored with the evidence. */

/** Sums of figures as they were scored. */
export interface Sum {
  readonly entities: number
  readonly usdCents: number
}

/**
 * The history at one instant, an input of the pure score. For an action in production, the history of production; otherwise that of all
 * other environments. A unit is a distinct action on a UTC day. Only days that ended long enough ago are evidence (ADR 25), so that nothing
 * requested today can make anything look familiar.
 */
export interface BehaviorSnapshot {
  /** ISO 8601 UTC with milliseconds: the end of the window, by the database's clock. */
  readonly takenAt: string
  readonly windowDays: number
  /** Units in the window. */
  readonly sampleSize: number
  /**
   * Over the units in the window that stated entities. If two values are in the middle, the lower one is the median; null without units.
   */
  readonly entityVolume: { readonly units: number; readonly median: number | null }
  /** Over the units of the same action category that stated a value, in US cents. */
  readonly financialValue: { readonly units: number; readonly medianUsdCents: number | null }
  readonly velocity: {
    /** Assessments of the agent or pool in the last 60 minutes, including this one (ADR 25). */
    readonly lastHour: number
    /** The 95th percentile (nearest rank) of assessments per clock hour, over hours that have any; null without such hours. */
    readonly p95PerHour: number | null
    /** Distinct UTC days and clock hours in the window that have any assessment. */
    readonly days: number
    readonly hours: number
  }
  /** Other units with the same destination key; null if the action states no destination. */
  readonly destination: {
    readonly days: number
    /** Whole hours since the first of them; 0 if there are none. */
    readonly firstSeenHours: number
    /** The largest stated figures seen there; 0 if there are none. */
    readonly largestEntities: number
    readonly largestUsdCents: number
    /** The key is one edit away from an established destination of the organization, or looks like one. */
    readonly lookalike: boolean
  } | null
  readonly actionTypeSeen: boolean
  /** False if the action names no agent. */
  readonly agentSeen: boolean
  /** Sums over the last 24 h of the same agent (one pool for callers that name none), for classes other than read. */
  readonly last24Hours: Sum
  /** The same sums for the destination (null if the action states none) and for the whole organization. */
  readonly otherSums: { readonly destination: Sum | null; readonly organization: Sum }
  /** The median of the organization's daily sums, over days that have any; 0 without such days. */
  readonly usualDay: Sum & { readonly days: number }
  /** Other units since the end of the evidence, only for the report. The score does not use them. */
  readonly today: {
    readonly units: number
    readonly actionTypeSeen: boolean
    readonly destinationSeen: boolean
  }
}

/** `unavailable`: history could not be read, so every check of it assumes the worst. */
export type Behavior = BehaviorSnapshot | "unavailable"

/** The history reported in a response (specification 2.3). */
export interface BehavioralContext {
  readonly historicalComparisonAvailable: boolean
  readonly baselineScope: "organization"
  readonly sampleSize: number
  readonly windowDays: number
  /** Two decimals; null without a baseline, with fewer than five units, or if the action states no such figure. */
  readonly entityVolumeMultiplier: number | null
  readonly financialValueMultiplier: number | null
  readonly velocityMultiplier: number | null
  readonly destinationSeenBefore: boolean
  readonly actionTypeSeenBefore: boolean
}
