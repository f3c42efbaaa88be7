/** A policy set as the document that is frozen. */

import type { PolicyFiles } from "../SourceFile.ts"

/** Rules in code unit order of their files, so that equal working files give an equal document. */
export const policyDocument = (
  { policy, rules }: PolicyFiles,
  name: string,
  version: string,
  releasedAt: string
) => ({
  name,
  version,
  released_at: releasedAt,
  policy: policy.json,
  rules: rules.map(({ json }) => json)
})
