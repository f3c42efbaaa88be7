/** A step of bundling: compiles the newest release, so that the first start of an installation is as fast as later ones. */

import { Result } from "effect"
import { hash } from "node:crypto"
import { RulesRefused } from "../Finding.ts"
import { hasCompiled, writeCompiled } from "../compiled/compiledFiles.ts"
import { digestOfFiles, packageRoot } from "../files/readTree.ts"
import { verifyRules } from "../language/verify.ts"
import { prepareLexicon } from "../lexicon/readLexicon.ts"
import { readFrozen } from "./frozen.ts"
import { compiledForm, listReleases, loadRelease, prepareRelease } from "./loadRelease.ts"

/** Writes to `folder`, unless the file exists. Fails for rules on which the two evaluators differ. */
export const compileInstalled = async (folder: string): Promise<void> => {
  const version = listReleases(packageRoot).at(-1)
  if (version === undefined) return
  const orRefuse = Result.getOrThrowWith(RulesRefused.of)
  const bytes = orRefuse(readFrozen(packageRoot, `rules/releases/${version}.json`))
  if (hasCompiled(folder, "release", hash("sha256", bytes))) return
  const { files, model } = orRefuse(loadRelease(packageRoot, version))
  // Prepared from its files, because data opened in place is not plain data.
  const release = orRefuse(prepareRelease(files, model.digest))
  const differing = await verifyRules(release.rules, release.model.match)
  if (differing.length > 0) throw new Error(`the evaluators differ on ${differing.join(", ")}`)
  writeCompiled(folder, "lexicon", digestOfFiles(files.lexicon), orRefuse(prepareLexicon(files.lexicon)))
  writeCompiled(folder, "verified", model.digest, true)
  writeCompiled(folder, "release", hash("sha256", bytes), compiledForm(release))
}
