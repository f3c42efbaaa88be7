/** The numbers of the model that the search may turn, and by how much at a time. */

type Json = Record<string, unknown>

export interface Knob {
  /** The path of the number in `ruleset.json`. */
  readonly name: string
  readonly step: number
  readonly read: (ruleset: Json) => number
  readonly write: (ruleset: Json, value: number) => void
}

type Path = ReadonlyArray<string | number>

const parentOf = (ruleset: Json, path: Path): Record<string | number, unknown> =>
  path
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>(
      (value, key) => value[key] as Record<string | number, unknown>,
      ruleset
    )

/** One number, or several that stay equal. */
const knob = (step: number, first: Path, ...others: ReadonlyArray<Path>): Knob => ({
  name: first.join("."),
  step,
  read: (ruleset) => Number(parentOf(ruleset, first)[first.at(-1) ?? ""]),
  write: (ruleset, value) => {
    for (const path of [first, ...others]) parentOf(ruleset, path)[path.at(-1) ?? ""] = Math.max(0, value)
  }
})

const impacts = ["low", "moderate", "high", "critical"]
/** Classes that weigh alike: what differs between them is in their references and effects. */
const alike = ["write", "delete", "access", "deploy", "configure", "destroy", "execute", "actuate", "unknown"]
const places = ["development", "sandbox", "staging"]
const figures = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, at) => from + at)

export const knobs: ReadonlyArray<Knob> = [
  ...impacts.map((impact) => {
    const [first = [], ...others] = alike.map((name) => ["classes", name, "weight_bp", impact])
    return knob(200, first, ...others)
  }),
  ...["read", "export", "communicate", "transact"].flatMap((name) =>
    impacts.map((impact) => knob(200, ["classes", name, "weight_bp", impact]))
  ),
  ...impacts.map((impact) => knob(300, ["classes", "access", "privilege_bp", impact])),
  ...places.flatMap((place) =>
    ["factor_bp", "data_bp", "money_bp"].map((figure) => knob(500, ["environment", place, figure]))
  ),
  ...places.map((place) => knob(300, ["classes", "execute", "factor_bp", place])),
  ...places.map((place) => knob(500, ["weakened_factor_bp", place])),
  knob(200, ["environment", "production", "base_bp"]),
  knob(300, ["production_impact_bp"]),
  knob(200, ["blast_radius", "other_dimensions_bp"]),
  knob(300, ["blast_radius", "reversibility_bp"]),
  knob(500, ["data_volume_bp"]),
  knob(300, ["data_leaves_bp"]),
  ...["internal", "confidential", "restricted", "regulated"].map((name) =>
    knob(200, ["data_classification", name, "base_bp"])
  ),
  ...figures(1, 9).map((at) => knob(300, ["anchors", "usd", at, 1])),
  ...figures(2, 7).map((at) => knob(300, ["anchors", "entities", at, 1])),
  ...["write", "delete", "communicate", "export", "transact", "access", "configure", "deploy"].map((name) =>
    knob(700, ["classes", name, "entity_effect_bp"])
  ),
  ...["write", "delete", "communicate", "execute", "access"].map((name) =>
    knob(700, ["classes", name, "data_effect_bp"])
  )
]
