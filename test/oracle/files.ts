/** The numbers and rules of the working files, read without anything of `src`. */

import { readdirSync, readFileSync } from "node:fs"
import type {
  ActionCategory,
  ActionClass,
  DataClassification,
  Environment,
  Reversibility
} from "../../src/domain/Action.ts"
import type { FactorCategory, Severity } from "../../src/domain/Opinion.ts"
import ruleset from "../../rules/ruleset.json" with { type: "json" }
import type { Impact } from "./Question.ts"
import type { Condition } from "./conditions.ts"

export interface ClassRow {
  readonly category: ActionCategory
  readonly harmless: boolean
  readonly egress: boolean
  readonly data_leaves: boolean
  readonly counts_go_together: boolean
  readonly reversibility_floor: Reversibility
  readonly always_changes_privilege: boolean
  readonly entity_effect_bp: number
  readonly data_effect_bp: number
  readonly money_effect_bp: number
  readonly asked_money_effect_bp?: number
  readonly weight_bp: Readonly<Record<Impact, number>>
  readonly undone_weight_bp?: Readonly<Record<Impact, number>>
  readonly privilege_bp: Readonly<Record<Impact, number>>
  readonly factor_bp?: Partial<Readonly<Record<Environment, number>>>
  readonly references: {
    readonly usd: Readonly<Record<Impact, number>>
    readonly records_min: number
    readonly reversibility: Readonly<Record<Impact, Reversibility>>
    readonly soft_reversibility: Reversibility
    readonly production_impact_from?: Impact
    readonly lifts_classification: boolean
  }
}

export const numbers = ruleset
export const classRows = ruleset.classes as Readonly<Record<ActionClass, ClassRow>>
export const sensitivities: Readonly<
  Record<DataClassification, { readonly base_bp: number; readonly sensitivity_bp: number }>
> = ruleset.data_classification

interface RuleOf<Params> {
  readonly conditions: Condition
  readonly event: { readonly params: Params }
}

export interface FactorFile {
  readonly code: string
  readonly category: FactorCategory
  readonly recommendations: ReadonlyArray<string>
  readonly hazard_bp: number
  /** Among several factors with one subject, only the most informative one is reported. */
  readonly about?: string
  /** Not reported if it rests on an assumption. */
  readonly stated_only?: boolean
  readonly rules: ReadonlyArray<RuleOf<{ readonly severity: Severity; readonly hazard_bp?: number }>>
}

export interface TypologyFile {
  readonly name: string
  readonly floor: number
  readonly rules: ReadonlyArray<RuleOf<unknown>>
}

const filesIn = (name: string): ReadonlyArray<unknown> => {
  const folder = new URL(`../../rules/${name}/`, import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !file.endsWith(".cases.json"))
    .map((file): unknown => JSON.parse(readFileSync(new URL(file, folder), "utf8")))
}

export const factorFiles = filesIn("factors") as ReadonlyArray<FactorFile>
export const typologyFiles = filesIn("typologies") as ReadonlyArray<TypologyFile>
