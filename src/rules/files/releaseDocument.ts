/** A rule release as a single document, `rules/releases/<version>.json`, and the files that it was made from. */

import { Result, Schema } from "effect"
import { type Read, succeedUnless } from "../Finding.ts"
import { decodeFile } from "./decodeFile.ts"
import { lexiconPart, type RuleFiles, type SourceFile } from "./readTree.ts"
import { fileStruct, Instant, SemVer, Sha256Hex } from "./vocabulary.ts"

/** The parts are the working files at the time of the release, without their `$schema` lines. */
const ReleaseFile = fileStruct({
  version: SemVer,
  releasedAt: Instant,
  /** Hex SHA-256 of the canonical form of everything else. */
  digest: Sha256Hex,
  ruleset: Schema.Unknown,
  currencies: Schema.Unknown,
  /** Keyed by the file name relative to the lexicon folder. */
  lexicon: Schema.Record(Schema.String, Schema.Unknown),
  factors: Schema.Array(Schema.Unknown),
  typologies: Schema.Array(Schema.Unknown)
})

/** Everything in the working files that a release freezes. */
export const contentOf = (files: RuleFiles) => ({
  ruleset: files.ruleset.json,
  currencies: files.currencies.json,
  lexicon: Object.fromEntries(files.lexicon.map((file) => [lexiconPart(file), file.json])),
  factors: files.factors.map(({ json }) => json),
  typologies: files.typologies.map(({ json }) => json)
})

/** The document to freeze. Files are in code unit order of their paths, so that equal working files give an equal document. */
export const releaseDocument = (files: RuleFiles, version: string, releasedAt: string) => ({
  version,
  released_at: releasedAt,
  ...contentOf(files)
})

/** The value of a top-level key as text, or `""` if it is missing. Also works for a document that does not decode. */
export const statedText = (json: unknown, key: string): string =>
  typeof json === "object" && json !== null && key in json
    ? String(Object.entries(json).find(([name]) => name === key)?.[1])
    : ""

/** The files from which a release was frozen. Findings about them name the release and the part. */
export const releaseFiles = (
  file: string,
  version: string,
  json: unknown
): Read<{ readonly files: RuleFiles; readonly digest: string }> =>
  Result.flatMap(decodeFile(ReleaseFile, { file, name: version, folder: "releases", json }), (release) => {
    const part = (json: unknown, name: string, folder = ""): SourceFile => ({
      file: `${file} (${name})`,
      name,
      folder,
      json
    })
    const misnamed = release.version !== version || statedText(release.ruleset, "version") !== version
    return succeedUnless(
      misnamed
        ? [
            {
              rule: "edited-release",
              file,
              path: ["version"],
              message: `the release names itself \`${release.version}\``
            }
          ]
        : [],
      () => ({
        digest: release.digest,
        files: {
          ruleset: part(release.ruleset, "ruleset"),
          currencies: part(release.currencies, "currencies"),
          lexicon: Object.entries(release.lexicon).map(([path, words]) => {
            const [name = path, folder] = path.split("/").toReversed()
            return { ...part(words, name, folder), file: `${file} (${path})` }
          }),
          factors: release.factors.map((factor) =>
            part(factor, statedText(factor, "code"), statedText(factor, "category"))
          ),
          typologies: release.typologies.map((typology) => part(typology, statedText(typology, "name")))
        }
      })
    )
  })
