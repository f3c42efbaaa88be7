/** `rules shadow-report`: compares the scores of the shadow release (RULES_SHADOW) with the served scores. */

import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { compareShadows, type ShadowComparisons } from "../../assessment/compareShadows.ts"
import { type Mode, modes } from "../../domain/Caller.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { ShadowOpinions } from "../../storage/ShadowOpinions.ts"
import { organizationOf, Stores } from "../Stores.ts"
import { currentTerminal, type Terminal } from "../Terminal.ts"
import { instantFlag, jsonFlag } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { figure } from "../texts.ts"
import { countsJson, movementCounts, movementFields, movementJson } from "./backtestJson.ts"
import { renderBacktest } from "./backtestView.ts"

export const shadowReportSchema = Schema.Struct({
  organization: Schema.NullOr(Schema.String).annotate({
    description: "The slug; null for all organizations."
  }),
  mode: Schema.NullOr(Schema.Literals(modes)).annotate({ description: "Null for both." }),
  since: Schema.NullOr(Schema.String).annotate({ description: "From this date-time on; null for all." }),
  without_shadow: Schema.Int.annotate({
    description:
      "Assessments without a shadow since the first one with a shadow: it was off, or has missed them."
  }),
  shadows: Schema.Array(
    Schema.Struct({
      rules_version: Schema.String,
      rules_digest: Schema.String.annotate({
        description: "SHA-256 of the release, or of the working files."
      }),
      counts: Schema.Struct(movementCounts),
      ...movementFields
    })
  ).annotate({
    description:
      "One for each release that has been a shadow; `from` is the served score, `to` the score of the shadow."
  })
})

interface Filter {
  readonly organization: string | null
  readonly mode: Mode | null
  readonly since: string | null
}

export const shadowReport = Command.make(
  "shadow-report",
  {
    org: Flag.String("org").pipe(
      Flag.withDescription("Only this organization, by its slug"),
      Flag.withMetavar("slug"),
      Flag.optional
    ),
    mode: Flag.Literals("mode", modes).pipe(
      Flag.withDescription("Only live or only test assessments"),
      Flag.optional
    ),
    since: instantFlag("since").pipe(
      Flag.withDescription("Only assessments from this instant on"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (options) {
    const filter: Filter = {
      organization: Option.getOrNull(options.org),
      mode: Option.getOrNull(options.mode),
      since: Option.getOrNull(options.since)
    }
    const compared = yield* withProgress({ title: "shadow report", unit: "assessments" }, (progress) =>
      Effect.flatMap(ownersOf(filter), (owners) =>
        compareShadows({ owners, since: filter.since, onProgress: (count) => progress.at(count, null) })
      ).pipe(Effect.provide(ShadowOpinions.layer.pipe(Layer.provideMerge(Stores))))
    )
    yield* Console.log(
      options.json
        ? JSON.stringify(shadowReportJson(filter, compared), null, 2)
        : renderShadows(currentTerminal(), compared)
    )
  })
).pipe(
  Command.withDescription("Compare the served scores with those of the shadow release (RULES_SHADOW)"),
  Command.withExamples([
    { command: "action-risk rules shadow-report", description: "All organizations, live and test" },
    {
      command: "action-risk rules shadow-report --org acme --mode live --since 2026-12-01 --json",
      description: "One organization's December, for scripts"
    }
  ])
)

const ownersOf = Effect.fnUntraced(function* ({ mode, organization }: Filter) {
  const organizations =
    organization === null
      ? yield* Organizations.use(({ list }) => list)
      : [yield* organizationOf(organization)]
  return organizations.flatMap(({ id }) =>
    modes.filter((one) => mode === null || one === mode).map((one) => ({ organizationId: id, mode: one }))
  )
})

const shadowReportJson = (
  { mode, organization, since }: Filter,
  { releases, withoutShadow }: ShadowComparisons
): typeof shadowReportSchema.Encoded => ({
  organization,
  mode,
  since,
  without_shadow: withoutShadow,
  shadows: releases.map(({ digest, movement, version }) => ({
    rules_version: version,
    rules_digest: digest,
    counts: countsJson(movement),
    ...movementJson(movement)
  }))
})

const renderShadows = (screen: Terminal, { releases, withoutShadow }: ShadowComparisons): string => {
  if (releases.length === 0) {
    return "no assessment has a shadow yet: serve with RULES_SHADOW set to a release, or to draft"
  }
  const missing = figure(withoutShadow)
  const note =
    withoutShadow === 0
      ? []
      : [`${missing} assessments since the first shadow have none: it was off or has missed them`]
  return [...releases.map(({ movement }) => renderBacktest(screen, movement)), ...note].join("\n\n")
}
