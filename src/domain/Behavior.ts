/** The history of an organization with regard to one action, read once and stored with the evidence. */

/** Sums of figures as they were scored. */
export interface Sum {
  readonly entities: number
  readonly usdCents: number
}

/**
 * History at one instant, an input of the pure score: that of production for an action in production, and else that of all
 * other environments. A unit is a distinct action on a UTC day. Only days that ended long enough ago are evidence
 * (ADR 25), so that nothing that is asked today makes anything look familiar.
 */
export interface BehaviorSnapshot {
  /** ISO 8601 UTC with milliseconds: the end of the window, by the clock of the database. */
  readonly takenAt: string
  readonly windowDays: number
  /** Units in the window. */
  readonly sampleSize: number
  /** Over the units of the window that stated entities. The lower of two middle values is the median; null without units. */
  readonly entityVolume: { readonly units: number; readonly median: number | null }
  /** Over units of the same action category that stated a value. US cents. */
  readonly financialValue: { readonly units: number; readonly medianUsdCents: number | null }
  readonly velocity: {
    /** Assessments in the last 60 minutes, this one included, of the agent or pool (ADR 25). */
    readonly lastHour: number
    /** 95th percentile (nearest rank) of assessments per clock hour, over hours with any; null without such hours. */
    readonly p95PerHour: number | null
    /** Distinct UTC days and clock hours of the window with any assessment. */
    readonly days: number
    readonly hours: number
  }
  /** Other units to the same destination key; null when the action states no destination. */
  readonly destination: {
    readonly days: number
    /** Whole hours since the first of them; 0 without any. */
    readonly firstSeenHours: number
    /** Largest stated figures seen there; 0 without any. */
    readonly largestEntities: number
    readonly largestUsdCents: number
    /** The key is one edit from, or confusable with, an established destination of the organization. */
    readonly lookalike: boolean
  } | null
  readonly actionTypeSeen: boolean
  /** False when the action names no agent. */
  readonly agentSeen: boolean
  /** Over the last 24 h of the same agent (one pool for callers that name none), classes other than read. */
  readonly last24Hours: Sum
  /** The same of the destination, null when the action states none, and of the whole organization. */
  readonly otherSums: { readonly destination: Sum | null; readonly organization: Sum }
  /** The median of the organization's sums of the days with any, 0 without such days. */
  readonly usualDay: Sum & { readonly days: number }
  /** Counts of other units since the end of the evidence, for the report. The score does not use them. */
  readonly today: {
    readonly units: number
    readonly actionTypeSeen: boolean
    readonly destinationSeen: boolean
  }
}

/** `unavailable`: history could not be read, and every check on it counts at its worst. */
export type Behavior = BehaviorSnapshot | "unavailable"

/** The history that a response reports (specification 2.3). */
export interface BehavioralContext {
  readonly historicalComparisonAvailable: boolean
  readonly baselineScope: "organization"
  readonly sampleSize: number
  readonly windowDays: number
  /** Two decimals; null without a baseline, below five units, or when the action states no such figure. */
  readonly entityVolumeMultiplier: number | null
  readonly financialValueMultiplier: number | null
  readonly velocityMultiplier: number | null
  readonly destinationSeenBefore: boolean
  readonly actionTypeSeenBefore: boolean
}
