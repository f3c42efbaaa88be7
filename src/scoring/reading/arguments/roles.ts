/** The roles of the parameters of a call, and the rules that their values match. */

import type { ActionClass } from "../../../domain/Action.ts"
import type { FileTool } from "../commands/commandTools.ts"
import { globFits } from "../commands/paths.ts"
import type { Signal } from "../readArguments.ts"
import type { ParameterConventions, ParameterRole, ParameterRule, PreparedParameters } from "./Parameters.ts"
import { type Domains, fitsValue, type ValueKnowledge } from "./valueClasses.ts"
import { type Leaf, type AtPath, atPath } from "./walkArguments.ts"

export interface RoledLeaf extends Leaf {
  readonly role: ParameterRole | undefined
}

/** `words`: the words of the server's name, then those of the tool. */
export interface ToolName {
  readonly words: ReadonlyArray<string>
  /** The words of the tool without its server. */
  readonly own: ReadonlyArray<string>
  readonly provider: string | undefined
  /** A provider's catalogue, or the organization's, lists the tool. */
  readonly isListed: boolean
  readonly class: ActionClass
  /** Undefined if it is not a file tool. */
  readonly fileTool: FileTool | undefined
  /** The domains of the organization's own people, if its catalogue states any. */
  readonly people: Domains | undefined
}

export const conventionsOfTool = (
  { own, provider = "", words }: ToolName,
  { conventions }: PreparedParameters
): ReadonlyArray<ParameterConventions> =>
  conventions.filter(
    ({ servers }) =>
      servers.size === 0 || servers.has(provider) || [...words, ...own].some((word) => servers.has(word))
  )

/** The role of a parameter. Its server's conventions take precedence, and its whole name precedes its last words. */
const roleOf = (
  { above, suffixes }: Leaf,
  conventions: ReadonlyArray<ParameterConventions>
): ParameterRole | undefined => {
  for (const suffix of suffixes)
    for (const { roles } of conventions) {
      const role = roles.get(suffix)
      if (role !== undefined) return role
    }
  const parent = above.at(-1)
  const isRecipient =
    parent !== undefined && conventions.some(({ roles }) => roles.get(parent) === "recipient")
  return isRecipient ? "recipient" : undefined
}

/** Whether a parameter selects things: it is below a filter, or below a query that is an object. */
export const isCondition = ({ above }: Leaf, conventions: ReadonlyArray<ParameterConventions>): boolean =>
  above.some((key) =>
    conventions.some(({ roles }) => roles.get(key) === "filter" || roles.get(key) === "code")
  )

export interface MatchedRules {
  /** The signal of a parameter that the tool supports and that turns the call into a simulation. */
  readonly simulation: Signal | undefined
  /** Each with the first argument that matched its rule. */
  readonly signals: ReadonlyMap<Signal, AtPath<string>>
  readonly paths: Map<string, ParameterRole | "unknown">
}

const simulates = ({ class: own, lowers }: Signal): boolean => lowers === true && own === "simulate"

/**
 * The rules for one tool's parameters. Prepared per tool, because most rules are for other tools and a call can have hundreds of parameters
 * with one name.
 */
class RulesOfTool {
  readonly #conventions: ReadonlyArray<ParameterConventions>
  readonly #tool: string
  readonly #byKey = new Map<string, ReadonlyArray<ParameterRule>>()
  readonly #byRole = new Map<ParameterRole, ReadonlyArray<ParameterRule>>()

  constructor(conventions: ReadonlyArray<ParameterConventions>, tool: string) {
    this.#conventions = conventions
    this.#tool = tool
  }

  ofKey(key: string): ReadonlyArray<ParameterRule> {
    return this.#forTool(this.#byKey, key, ({ byKey }) => byKey.get(key))
  }

  ofRole(role: ParameterRole): ReadonlyArray<ParameterRule> {
    return this.#forTool(this.#byRole, role, ({ byRole }) => byRole.get(role))
  }

  #forTool<K>(
    known: Map<K, ReadonlyArray<ParameterRule>>,
    key: K,
    rulesOf: (conventions: ParameterConventions) => ReadonlyArray<ParameterRule> | undefined
  ): ReadonlyArray<ParameterRule> {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = this.#conventions
      .flatMap((conventions) => rulesOf(conventions) ?? [])
      .filter(({ tools }) => tools.length === 0 || tools.some((glob) => globFits(glob, this.#tool)))
    known.set(key, found)
    return found
  }
}

/** The rules that match the name and value of a parameter. */
export const matchRules = (
  leaves: ReadonlyArray<RoledLeaf>,
  conventions: ReadonlyArray<ParameterConventions>,
  tool: string,
  knowledge: ValueKnowledge
): MatchedRules => {
  const signals = new Map<Signal, AtPath<string>>()
  const paths = new Map<string, ParameterRole | "unknown">()
  const known = new RulesOfTool(conventions, tool)
  const match = (rules: ReadonlyArray<ParameterRule>, leaf: RoledLeaf): void => {
    for (const { is, signal, unless } of rules) {
      if (!fitsValue(leaf, is, unless, knowledge)) continue
      if (!signals.has(signal)) signals.set(signal, atPath(leaf))
      paths.set(leaf.path, leaf.role ?? "unknown")
    }
  }
  for (const leaf of leaves) {
    for (const suffix of leaf.suffixes) match(known.ofKey(suffix), leaf)
    if (leaf.role !== undefined) match(known.ofRole(leaf.role), leaf)
  }
  return { simulation: [...signals.keys()].find(simulates), signals, paths }
}

export const withRoles = (leaves: ReadonlyArray<Leaf>, conventions: ReadonlyArray<ParameterConventions>) =>
  leaves.map((leaf): RoledLeaf => ({ ...leaf, role: roleOf(leaf, conventions) }))
