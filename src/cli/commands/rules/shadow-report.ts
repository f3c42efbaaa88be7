/** `action-risk rules shadow-report`: how the release of RULES_SHADOW differs from what was served. */

import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { compareShadows, type ShadowComparisons } from "../../../assessment/shadow/compareShadows.ts"
import { type Mode, modes } from "../../../domain/Mode.ts"
import { Organizations } from "../../../storage/Organizations.ts"
import { ShadowOpinions } from "../../../storage/ShadowOpinions.ts"
import { countsJson, movementJson } from "../../backtest/backtestJson.ts"
import { instant } from "../../options/instant.ts"
import { json } from "../../options/json.ts"
import { organizationOf } from "../../options/organization.ts"
import { withProgress } from "../../progress.ts"
import { renderBacktest } from "../../render/backtest.ts"
import { type Sheet, terminal } from "../../render/Sheet.ts"
import type { shadowReportShape } from "../../shapes/rules/shadowReport.ts"
import { Stores } from "../../Stores.ts"

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
      Flag.withDescription("Only this one of the two worlds"),
      Flag.optional
    ),
    since: instant("since").pipe(
      Flag.withDescription("Only assessments from this instant on"),
      Flag.optional
    ),
    json
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
        : renderShadows(terminal(), compared)
    )
  })
).pipe(
  Command.withDescription("Compare what was served with what the release of RULES_SHADOW said of it"),
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

export const shadowReportJson = (
  { mode, organization, since }: Filter,
  { releases, withoutShadow }: ShadowComparisons
): typeof shadowReportShape.Encoded => ({
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

const renderShadows = (sheet: Sheet, { releases, withoutShadow }: ShadowComparisons): string => {
  if (releases.length === 0) {
    return "no assessment has a shadow yet: serve with RULES_SHADOW set to a release, or to draft"
  }
  const missing = withoutShadow.toLocaleString("en-US")
  const note =
    withoutShadow === 0
      ? []
      : [`${missing} assessments since the first shadow have none: it was off or has missed them`]
  return [...releases.map(({ movement }) => renderBacktest(sheet, movement)), ...note].join("\n\n")
}
