/** Keys under which spellings of one name meet. */

import type { Words } from "./tokenize.ts"

/** Parts stay apart, words of a part run together: `iam:CreateUser`, `IAM.create_user` → `iam.createuser`. Words before `from` are left out. */
export const structuredKey = ({ segments, words }: Words, from: number): string => {
  let key = words[from] ?? ""
  for (let at = from + 1; at < words.length; at++) {
    if (segments[at] !== segments[at - 1]) key += "."
    key += words[at] ?? ""
  }
  return key
}

/** All words run together: `iam_create_user` → `iamcreateuser`. */
export const flatKey = ({ words }: Words, from: number): string => {
  let key = ""
  for (let at = from; at < words.length; at++) key += words[at] ?? ""
  return key
}
