/** Findings about rule files: problems, their files and positions, and the lints that report them. */

import { Result, Schema } from "effect"

export interface FileProblem {
  readonly rule: LintId
  /** The keys and list positions that lead to the problem. Empty for the whole file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** Set if the problem is the key at the end of `path` and not its value. */
  readonly at?: "key"
  /** The offset in the text, in UTF-16 code units, for a problem that has no path. */
  readonly offset?: number
  /** Without a capital at the beginning and a period at the end. Quotations from the file are in backticks. */
  readonly message: string
  /** The text to write instead, if one is known. */
  readonly suggestion?: string
}

/** A problem and the file that has it. */
export interface Finding extends FileProblem {
  readonly file: string
}

export const inFile = (file: string, problems: ReadonlyArray<FileProblem>): ReadonlyArray<Finding> =>
  problems.map((problem) => ({ file, ...problem }))

const pathStep = (key: PropertyKey): string => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)

/** `rules/factors/volume/X.json: rules[0].conditions.all[1].fact: unknown fact …`, on one line. */
export const findingLine = ({ file, path, message }: Pick<Finding, "file" | "path" | "message">): string => {
  const place = path.map(pathStep).join("").replace(/^\./, "")
  return `${file}: ${place === "" ? "" : `${place}: `}${message}`.replaceAll(/\s+/g, " ")
}

/** `error`: the rule set is unusable or wrong. `warning`: the rule set is usable, but a reviewer should know. */
type FindingSeverity = "error" | "warning"

/** A finding with its position in the text: what `--json` prints and editors jump to. */
export interface LocatedFinding extends Pick<Finding, "file" | "message"> {
  /** The lint that reports it, which has a page in `docs/lints/`: `unknown-fact`. */
  readonly rule: string
  readonly severity: FindingSeverity
  /** From 1. A finding about the whole file is on line 1. */
  readonly line: number
  /** From 1, in UTF-16 code units as editors count. */
  readonly column: number
  /** The text to write instead, if one is known. */
  readonly suggestion?: string
}

/** The result of reading rule files: the value, or every problem that the files have. */
export type Read<A> = Result.Result<A, ReadonlyArray<Finding>>

export const findingsOf = (read: Read<unknown>): ReadonlyArray<Finding> =>
  Result.isFailure(read) ? read.failure : []

/** Every value, or the findings of all failed reads together. */
export const readEvery = <A>(reads: ReadonlyArray<Read<A>>): Read<ReadonlyArray<A>> => {
  const findings = reads.flatMap(findingsOf)
  return findings.length > 0
    ? Result.fail(findings)
    : Result.succeed(reads.flatMap((read) => (Result.isSuccess(read) ? [read.success] : [])))
}

export const succeedUnless = <A>(findings: ReadonlyArray<Finding>, value: () => A): Read<A> =>
  findings.length > 0 ? Result.fail(findings) : Result.succeed(value())

const shownMax = 5

/** Rule files that cannot be used, with every reason. */
export class RulesRefused extends Schema.TaggedError<RulesRefused>()("RulesRefused", {
  /** One line per finding, with its file and its place in the file. */
  findings: Schema.Array(Schema.String)
}) {
  static of(findings: ReadonlyArray<Finding>): RulesRefused {
    return new RulesRefused({ findings: findings.map(findingLine) })
  }

  /** One line with the first five findings. */
  override get message(): string {
    const more = this.findings.length - shownMax
    const shown = this.findings.slice(0, shownMax).join("; ")
    return more > 0 ? `${shown}; and ${more} more` : shown
  }
}

/** The message of a thrown value, which need not be an `Error`. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Each lint by its category and id, with the fault that it finds. Each has a page in `docs/lints/`. */
const sentences = {
  files: {
    "unreadable-file": "a file is missing, too large, nested too deep or not plain UTF-8",
    "not-json": "a file is not JSON: an extra comma, a comment, an unterminated string",
    "duplicate-key": "an object has the same key twice, and only the last one would count",
    "prototype-key": "a key has a name that every JavaScript object already has",
    "missing-schema-line": "the second line does not name the schema that editors check the file with",
    "misnamed-file": "a file is not named after the thing in it",
    "misplaced-file": "a file is in a place where nothing reads it"
  },
  shape: {
    "unknown-key": "an object has a key that is not defined there",
    "missing-key": "an object lacks a key that it needs",
    "wrong-type": "a value does not have the expected type",
    "wrong-value": "a value has the right type but is not allowed",
    "unknown-code": "a severity, category, control, recommendation or other name does not exist"
  },
  conditions: {
    "unknown-fact": "a condition tests a fact that does not exist, or that is not available here",
    "unknown-operator":
      "a condition uses an operator that does not exist, or that this fact does not support",
    "not-in-dialect": "a rule uses a feature of json-rules-engine that is left out of the dialect",
    "empty-group": "an `all` or `any` is empty, which json-rules-engine treats as true",
    "mixed-group": "`all` and `any` are in the same group, and one would be ignored",
    "too-deep": "groups are nested more than five deep",
    "could-lower": "a rule that raises could stop matching when an action gets riskier",
    "never-matches": "a rule, or a branch of it, cannot hold for any request",
    "always-matches": "a rule, or one of its conditions, holds for every request",
    shadowed: "a rule or a branch never decides anything, because another one always holds with it",
    "duplicate-condition": "a group tests the same thing twice"
  },
  rules: {
    "duplicate-code": "two files raise the same factor",
    "duplicate-rule": "two rules of a set have the same name",
    "too-many-rules": "a set has too many rules",
    "hazard-falls": "a more severe rule of a factor carries less hazard than a milder one",
    "unknown-placeholder": "a message refers to a figure that does not exist"
  },
  words: {
    "missing-why": "a rule does not say why it exists",
    "missing-misses": "a rule does not say what it cannot see",
    "missing-owner": "a policy does not say who answers for it"
  },
  lexicon: {
    "unknown-word":
      "the lexicon refers to a verb or an object that it does not define, so the reference never matches",
    "ambiguous-word": "a word of the lexicon has two meanings, and only one of them is ever used",
    "unexplained-mildness":
      "a catalogue treats a name that sounds like a deletion as harmless, and does not say why"
  },
  cases: {
    "no-cases": "a rule has no cases next to it",
    "no-must-case": "no case expects a request to raise it",
    "no-must-not-case": "no case expects a request not to raise it",
    "boundary-without-case": "the cases are on one side of a threshold only",
    "duplicate-case": "two cases of a file have the same name",
    "failing-case": "a case disagrees with the rules",
    uncovered: "no case reaches a rule, or one outcome of a condition",
    "surviving-mutant": "a rule can be changed without any of its cases failing"
  },
  catalogue: {
    "class-too-far": "a catalogue entry changes the class of a known act further than it may",
    "expired-entry": "a catalogue entry is past its review date",
    "milder-than-general": "an entry about one name is milder than the entry about its system or prefix",
    "payment-of-nothing": "a catalogue entry says that a payment moves no money"
  },
  releases: {
    "edited-release": "a frozen release has changed since it was frozen",
    "evaluators-differ": "the compiled evaluator and json-rules-engine disagree about a rule",
    "missing-release": "a release that the lock names is missing, or the lock cannot be read",
    "missing-changelog":
      "the changelog does not say what is new in the release, what moves scores, or why something may score lower",
    "could-score-lower":
      "a request scores lower or gets a weaker control than under the release before, and the changelog does not accept it",
    "version-not-raised": "the working files differ from the newest release and do not raise the version"
  }
} as const

type Sentences = typeof sentences
export type LintId = { [C in keyof Sentences]: keyof Sentences[C] }[keyof Sentences]

/** All other lints are errors. */
const warnings: ReadonlySet<string> = new Set<LintId>([
  "uncovered",
  "surviving-mutant",
  "expired-entry",
  "milder-than-general",
  "payment-of-nothing"
])

interface Lint {
  readonly category: keyof Sentences
  readonly severity: FindingSeverity
  /** The fault that the lint finds, in one sentence. */
  readonly says: string
}

export const lints = Object.fromEntries(
  Object.entries(sentences).flatMap(([category, own]) =>
    Object.entries(own).map(([id, says]) => [
      id,
      { category, severity: warnings.has(id) ? "warning" : "error", says }
    ])
  )
) as Readonly<Record<LintId, Lint>>

export const isLint = (rule: string): rule is LintId => Object.hasOwn(lints, rule)
