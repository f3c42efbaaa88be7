/** Findings about rule files: problems, their files and positions, and the lints that report them. */

import { Result, Schema } from "effect"

export interface FileProblem {
  readonly rule: LintId
  /** The keys and list positions that lead to the problem; empty for the whole file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** Set where the key at the end of `path` is wrong; otherwise its value is. */
  readonly at?: "key"
  /** The place in the text, in UTF-16 code units, for a problem that no path leads to. */
  readonly offset?: number
  /** No capital, no final period; quotations from the file are in backticks. */
  readonly message: string
  /** What to write instead. */
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

/** `error`: the rule set is unusable or wrong. `warning`: the rule set is usable, and a reviewer should know. */
type FindingSeverity = "error" | "warning"

/** A finding with its position in the text: what `--json` prints and editors jump to. */
export interface LocatedFinding extends Pick<Finding, "file" | "message"> {
  /** The lint that reports it, a page of `docs/lints/`: `unknown-fact`. */
  readonly rule: string
  readonly severity: FindingSeverity
  /** From 1; 1 for a finding about the whole file. */
  readonly line: number
  /** From 1, in UTF-16 code units as editors count. */
  readonly column: number
  /** What to write instead. */
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
  /** Each line names its file and the place in the file. */
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

interface Lint {
  readonly category:
    | "files"
    | "shape"
    | "conditions"
    | "rules"
    | "words"
    | "lexicon"
    | "cases"
    | "catalogue"
    | "releases"
  readonly severity: FindingSeverity
  /** What the lint finds, in one sentence. */
  readonly says: string
}

/** Every lint by its id; each has a page in `docs/lints/`. */
export const lints = {
  "unreadable-file": {
    category: "files",
    severity: "error",
    says: "a file is missing, too large, nested too deep or not plain UTF-8"
  },
  "not-json": {
    category: "files",
    severity: "error",
    says: "a file is not JSON: a comma too many, a comment, a text that does not end"
  },
  "duplicate-key": {
    category: "files",
    severity: "error",
    says: "an object has one key twice, and only the last one would count"
  },
  "prototype-key": {
    category: "files",
    severity: "error",
    says: "a key is a name that every JavaScript object has already"
  },
  "missing-schema-line": {
    category: "files",
    severity: "error",
    says: "the second line does not name the schema that editors check the file with"
  },
  "misnamed-file": {
    category: "files",
    severity: "error",
    says: "a file is not called what the thing in it is called"
  },
  "misplaced-file": {
    category: "files",
    severity: "error",
    says: "a file stands where nothing reads it, so it does nothing"
  },

  "unknown-key": {
    category: "shape",
    severity: "error",
    says: "an object has a key that means nothing there"
  },
  "missing-key": { category: "shape", severity: "error", says: "an object lacks a key that it needs" },
  "wrong-type": {
    category: "shape",
    severity: "error",
    says: "a value is not of the type that is asked for"
  },
  "wrong-value": {
    category: "shape",
    severity: "error",
    says: "a value is of the right type and outside what it may be"
  },
  "unknown-code": {
    category: "shape",
    severity: "error",
    says: "a severity, category, control, recommendation or other name is not one of those that exist"
  },

  "unknown-fact": {
    category: "conditions",
    severity: "error",
    says: "a condition asks a fact that does not exist, or not here"
  },
  "unknown-operator": {
    category: "conditions",
    severity: "error",
    says: "a condition uses an operator that does not exist, or not for this fact"
  },
  "not-in-dialect": {
    category: "conditions",
    severity: "error",
    says: "a rule uses a feature of json-rules-engine that is left out of the dialect"
  },
  "empty-group": {
    category: "conditions",
    severity: "error",
    says: "an `all` or `any` holds nothing, which json-rules-engine takes for true"
  },
  "mixed-group": {
    category: "conditions",
    severity: "error",
    says: "`all` and `any` stand beside each other in one group, and one would be forgotten"
  },
  "too-deep": { category: "conditions", severity: "error", says: "groups are nested more than five deep" },
  "could-lower": {
    category: "conditions",
    severity: "error",
    says: "a rule that raises could stop matching when an action gets riskier"
  },
  "never-matches": {
    category: "conditions",
    severity: "error",
    says: "a rule, or a branch of it, cannot hold for any request"
  },
  "always-matches": {
    category: "conditions",
    severity: "error",
    says: "a rule, or a question of it, holds for every request"
  },
  shadowed: {
    category: "conditions",
    severity: "error",
    says: "a rule or a branch never decides anything, because another one always holds with it"
  },
  "duplicate-condition": {
    category: "conditions",
    severity: "error",
    says: "a group asks one thing twice"
  },

  "duplicate-code": { category: "rules", severity: "error", says: "two files raise the same factor" },
  "duplicate-rule": { category: "rules", severity: "error", says: "two rules of a set have one name" },
  "too-many-rules": { category: "rules", severity: "error", says: "a set has more rules than it may" },
  "hazard-falls": {
    category: "rules",
    severity: "error",
    says: "a more severe rule of a factor carries less hazard than a milder one"
  },
  "unknown-placeholder": {
    category: "rules",
    severity: "error",
    says: "a message shows a figure that does not exist"
  },

  "missing-why": { category: "words", severity: "error", says: "a rule does not say why it exists" },
  "missing-misses": { category: "words", severity: "error", says: "a rule does not say what it cannot see" },
  "missing-owner": { category: "words", severity: "error", says: "a policy does not say who answers for it" },

  "unknown-word": {
    category: "lexicon",
    severity: "error",
    says: "the lexicon names a verb or an object that it does not have, so that nothing is ever read by it"
  },
  "ambiguous-word": {
    category: "lexicon",
    severity: "error",
    says: "a word of the lexicon stands for two things, and only one of them is ever read"
  },
  "unexplained-mildness": {
    category: "lexicon",
    severity: "error",
    says: "a catalogue takes a name for harmless that sounds like a deletion, and does not say why"
  },

  "no-cases": { category: "cases", severity: "error", says: "a rule has no cases beside it" },
  "no-must-case": {
    category: "cases",
    severity: "error",
    says: "no case says that a request must raise it"
  },
  "no-must-not-case": {
    category: "cases",
    severity: "error",
    says: "no case says that a request must not raise it"
  },
  "boundary-without-case": {
    category: "cases",
    severity: "error",
    says: "the cases stand on one side of a threshold only"
  },
  "duplicate-case": { category: "cases", severity: "error", says: "two cases of a file have one name" },
  "failing-case": {
    category: "cases",
    severity: "error",
    says: "a case expects something else than the rules say"
  },
  uncovered: {
    category: "cases",
    severity: "warning",
    says: "no case reaches a rule, or one outcome of a question"
  },
  "surviving-mutant": {
    category: "cases",
    severity: "warning",
    says: "a rule can be changed without any of its cases failing"
  },

  "class-too-far": {
    category: "catalogue",
    severity: "error",
    says: "an entry of a catalogue calls a known act something that it may not become"
  },
  "expired-entry": {
    category: "catalogue",
    severity: "warning",
    says: "an entry of a catalogue is past its date of review"
  },
  "milder-than-general": {
    category: "catalogue",
    severity: "warning",
    says: "an entry about one name says something milder than the entry about the system or prefix that it belongs to"
  },
  "payment-of-nothing": {
    category: "catalogue",
    severity: "warning",
    says: "an entry of a catalogue says that what pays moves no money"
  },

  "edited-release": {
    category: "releases",
    severity: "error",
    says: "a frozen release is not what it was when it was frozen"
  },
  "evaluators-differ": {
    category: "releases",
    severity: "error",
    says: "the compiled evaluator and json-rules-engine do not say the same of a rule"
  },
  "missing-release": {
    category: "releases",
    severity: "error",
    says: "a release that the lock names is gone, or the lock cannot be read"
  },
  "missing-changelog": {
    category: "releases",
    severity: "error",
    says: "the changelog does not tell of what is to be released, of what moves scores, or why something may score lower"
  },
  "could-score-lower": {
    category: "releases",
    severity: "error",
    says: "a request scores lower or gets a weaker control than under the release before, and that is not accepted"
  },
  "version-not-raised": {
    category: "releases",
    severity: "error",
    says: "the working files differ from the newest release and carry no higher version"
  }
} as const satisfies Record<string, Lint>

export type LintId = keyof typeof lints

export const isLint = (rule: string): rule is LintId => Object.hasOwn(lints, rule)
