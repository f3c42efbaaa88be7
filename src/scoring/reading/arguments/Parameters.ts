/** The meanings of tool parameters: the knowledge in `lexicon/arguments.json` and `lexicon/parameters/*.json`, prepared for look-up. */

import type { Signal } from "../readArguments.ts"

/** The roles of parameters, each with what its value says about the call. The schema of the files is made from these texts. */
export const parameterRoles = {
  money: "An amount of money: it gives `financial_value`.",
  unit_money: "The price of one thing: together with a quantity it gives `financial_value`.",
  currency: "The currency of the amounts in the same object.",
  quantity: "The number of things that are bought or sold at the price in the same object.",
  limit: "The greatest number of things to read.",
  list: "A list of things: its length gives `entities_affected`.",
  filter: "The choice of things: parameters below it describe things and no deed.",
  recipient: "The receiver of something: it gives `destination`.",
  place: "The place or the name of the thing: it is read like `target_resource`.",
  title:
    "The title of a thing: it is read like `place` if the act can lose or change the thing, and like `prose` otherwise.",
  code: "A text in a language that something runs: it is read like `command`.",
  deed: "The deed itself: a verb.",
  label: "The text of a button or of another thing on a page.",
  switch: "A property of the deed.",
  right: "The rights that are given.",
  simulation: "Whether anything happens at all. It lowers nothing unless a rule says that the tool knows it.",
  secret: "A password, a key or a token that is handed on.",
  schedule: "When, and how often.",
  prose: "A text for people: it does nothing of what it says.",
  address: "An identifier, a format, a page: nothing."
} as const
export type ParameterRole = keyof typeof parameterRoles

/** A test of a value: `true`, a pattern, `>=1000`, `#>=10` for the length of a list, `@empty` for a kind of value. */
export type ValueTest =
  | { readonly kind: "true" | "false" }
  | { readonly kind: "text"; readonly glob: string }
  | { readonly kind: "figure"; readonly sign: ">" | "<"; readonly figure: number }
  | { readonly kind: "length"; readonly sign: ">" | "<"; readonly figure: number }
  | { readonly kind: "class"; readonly name: string }

/** How a parameter with a certain value affects the act. */
export interface ParameterRule {
  /** Names of parameters, without punctuation. Empty if the rule matches by `roles`. */
  readonly keys: ReadonlySet<string>
  readonly roles: ReadonlySet<ParameterRole>
  /** At least one of these tests must hold. Empty: any value except an empty one. */
  readonly is: ReadonlyArray<ValueTest>
  /** None of these tests may hold. */
  readonly unless: ReadonlyArray<ValueTest>
  /** Patterns for the words of the tool's name. Empty: any tool. */
  readonly tools: ReadonlyArray<string>
  readonly signal: Signal
}

/** The parameter conventions of some servers, or of all. */
export interface ParameterConventions {
  /** Words, one of which must occur in the name of the server or provider. Empty: all servers. */
  readonly servers: ReadonlySet<string>
  /** Amounts are in minor units, such as cents. */
  readonly minorUnits: boolean
  readonly roles: ReadonlyMap<string, ParameterRole>
  readonly byKey: ReadonlyMap<string, ReadonlyArray<ParameterRule>>
  readonly byRole: ReadonlyMap<ParameterRole, ReadonlyArray<ParameterRule>>
}

export interface ArgumentLimits {
  /** The maximum number of values and objects in the tree that are read. */
  readonly nodesMax: number
  readonly depthMax: number
  /** The maximum number of elements of one list that are read. The rest are only counted. */
  readonly elementsMax: number
  /** The maximum number of values that are read word by word, and of paths that an opinion reports. */
  readonly wordedMax: number
  /** Maximum UTF-16 units of a value that are read word by word. */
  readonly valueMax: number
  /** Maximum UTF-16 units of a value that are tested for its kind. */
  readonly textMax: number
  /** The maximum number of code texts, and the UTF-16 units of each. */
  readonly codesMax: number
  readonly codeMax: number
}

/** The languages of code in parameters: `javascript` and `python` are read as code for an interpreter. */
export const codeLanguages = ["sql", "shell", "javascript", "python", "any"] as const
export type CodeLanguage = (typeof codeLanguages)[number]

export interface PreparedParameters {
  readonly limits: ArgumentLimits
  /** Parameters that wrap all others: `params`, `request`. */
  readonly wrappers: ReadonlySet<string>
  /** Verbs that leave the act to a parameter: `manage`. */
  readonly multiplexers: ReadonlySet<string>
  /** The keys under which a setting is listed as name and value: `{"name": "DEBUG", "value": "1"}`. */
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>
  readonly languages: ReadonlyMap<string, CodeLanguage>
  /** For each class of values, such as `@disposable`, the words that belong to it. */
  readonly classes: ReadonlyMap<string, ReadonlySet<string>>
  readonly conventions: ReadonlyArray<ParameterConventions>
}
