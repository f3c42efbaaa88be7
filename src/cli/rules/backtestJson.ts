/** A backtest as `--json` prints it. */

import { Schema } from "effect"
import { actionRiskLevels, controlTypes, severities } from "../../domain/Opinion.ts"
import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"

const Level = Schema.Literals(actionRiskLevels)
const Control = Schema.Literals(controlTypes)
const Raised = Schema.NullOr(Schema.Literals(severities)).annotate({
  description: "Null where this side does not raise the factor."
})

const Position = Schema.Struct({
  score: Schema.Int,
  level: Level,
  complete: Schema.Boolean,
  control: Control
})

const MovedRecord = Schema.Struct({
  line: Schema.Int.annotate({ description: "Line of the history; from a database, the position. From 1." }),
  assessment_id: Schema.String,
  request: Schema.Record(Schema.String, Schema.Json).annotate({ description: "As it was recorded." }),
  from: Position,
  to: Position,
  factors: Schema.Array(Schema.Struct({ code: Schema.String, from: Raised, to: Raised })).annotate({
    description: "The factors on which the two sides differ, by code."
  })
})

const shift = {
  records: Schema.Int,
  falls: Schema.Int.annotate({ description: "Records whose level fell." }),
  rises: Schema.Int.annotate({ description: "Records whose level rose." }),
  lowered: Schema.Int.annotate({ description: "Records whose score fell." }),
  raised: Schema.Int.annotate({ description: "Records whose score rose." }),
  weakened: Schema.Int.annotate({ description: "Records whose recommended control is weaker." }),
  strengthened: Schema.Int.annotate({ description: "Records whose recommended control is stronger." })
}

const row = Schema.Struct({ low: Schema.Int, moderate: Schema.Int, high: Schema.Int, critical: Schema.Int })

export const backtestSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({
    description: "No level fell, no control is weaker, and every line could be read."
  }),
  from: Schema.String,
  to: Schema.String,
  counts: Schema.Struct({
    ...shift,
    unchanged: Schema.Int.annotate({ description: "Records whose score is the same." }),
    incomplete: Schema.Int.annotate({
      description: "Scored with history at its worst, as when they were recorded."
    }),
    unreadable: Schema.Int
  }),
  transitions: Schema.Struct({ low: row, moderate: row, high: row, critical: row }).annotate({
    description: "transitions[from][to]: records by level before and after."
  }),
  score_changes: Schema.Array(Schema.Struct({ by: Schema.Int, records: Schema.Int })).annotate({
    description: "Records by how many points they moved; ascending, without 0."
  }),
  falls: Schema.Array(MovedRecord).annotate({
    description: "The first falls in level; counts.falls says how many there are."
  }),
  weakened: Schema.Array(MovedRecord).annotate({
    description: "The first weaker controls; counts.weakened says how many there are."
  }),
  movers: Schema.Array(MovedRecord).annotate({ description: "The largest moves, up or down." }),
  factors: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      appeared: Schema.Int,
      vanished: Schema.Int,
      severity_raised: Schema.Int,
      severity_lowered: Schema.Int
    })
  ).annotate({ description: "Records in which a factor changed; most changes first." }),
  categories: Schema.Array(Schema.Struct({ category: Schema.String, ...shift })),
  classes: Schema.Array(Schema.Struct({ class: Schema.String, ...shift })),
  controls: Schema.Array(Schema.Struct({ from: Control, to: Control, records: Schema.Int })).annotate({
    description: "Records whose recommended control changed; most first."
  }),
  unreadable: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })).annotate({
    description: "The first lines that could not be read."
  }),
  policies: Schema.Array(
    Schema.Struct({
      recorded: Schema.String.annotate({ description: "The policy_version in the records." }),
      scored_with: Schema.String,
      exact: Schema.Boolean.annotate({
        description: "False where this installation does not have those rules."
      }),
      records: Schema.Int
    })
  )
})

const moveJson = ({ assessmentId, factors, from, line, request, to }: Move) => ({
  line,
  assessment_id: assessmentId,
  request,
  from,
  to,
  factors
})

/** No level fell, no control is weaker, and every line could be read. */
export const isClean = ({ counts: { falls, unreadable, weakened } }: Backtest): boolean =>
  falls === 0 && weakened === 0 && unreadable === 0

export const backtestJson = (backtest: Backtest): typeof backtestSchema.Encoded => ({
  ok: isClean(backtest),
  from: backtest.from,
  to: backtest.to,
  counts: backtest.counts,
  transitions: backtest.transitions,
  score_changes: backtest.scoreChanges,
  falls: backtest.falls.map(moveJson),
  weakened: backtest.weakened.map(moveJson),
  movers: backtest.movers.map(moveJson),
  factors: backtest.factors.map(({ appeared, code, severityLowered, severityRaised, vanished }) => ({
    code,
    appeared,
    vanished,
    severity_raised: severityRaised,
    severity_lowered: severityLowered
  })),
  categories: backtest.categories.map(({ name, ...shift }) => ({ category: name, ...shift })),
  classes: backtest.classes.map(({ name, ...shift }) => ({ class: name, ...shift })),
  controls: backtest.controls,
  unreadable: backtest.unreadable,
  policies: backtest.policies.map(({ exact, recorded, records, scoredWith }) => ({
    recorded,
    scored_with: scoredWith,
    exact,
    records
  }))
})
