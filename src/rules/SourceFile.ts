/** One rule file as parsed JSON, with the names that its place in the tree gives it. */

export interface SourceFile {
  /** As a reviewer would name it: `rules/factors/volume/HIGH_ENTITY_COUNT.json`. */
  readonly file: string
  /** The file name without its extension; what the file calls itself must be the same. */
  readonly name: string
  /** The folder it stands in; a factor's category must be the same. */
  readonly folder: string
  readonly json: unknown
}

/** All files of a rule release. */
export interface RuleFiles {
  readonly ruleset: SourceFile
  readonly currencies: SourceFile
  readonly lexicon: ReadonlyArray<SourceFile>
  readonly factors: ReadonlyArray<SourceFile>
  readonly typologies: ReadonlyArray<SourceFile>
}

/** All files of a policy set. */
export interface PolicyFiles {
  readonly policy: SourceFile
  readonly rules: ReadonlyArray<SourceFile>
}
