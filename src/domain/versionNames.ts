/** The names by which an assessment refers to the rule release and the policy set that scored it, and how to parse them. */

/** A rule release or a version of a policy set. */
interface Version {
  readonly version: string
  /** Hex SHA-256. */
  readonly digest: string
}

/** The version of the scoring code. Raised whenever the same request, history and rules could score differently. */
export const engineVersion = "1.0.0"

/** `<engine semver>+<rules version>.<8 hex>` */
export const riskEngineVersionOf = ({ digest, version }: Version): string =>
  `${engineVersion}+${version}.${digest.slice(0, 8)}`

/** `<set>@<version>+<8 hex>` */
export const policyVersionOf = ({ digest, name, version }: Version & { readonly name: string }): string =>
  `${name}@${version}+${digest.slice(0, 8)}`

/** The release version and the first digest digits in a recorded engine version. Empty strings if it has another form. */
export const readEngineVersion = (recorded: string) => {
  const [, version = "", digest = ""] = /^[^+]+\+(.+)\.([0-9a-f]{8})$/.exec(recorded) ?? []
  return { version, digest }
}

/** The policy set and its version in a recorded policy version. Empty strings if it has another form. */
export const readPolicyVersion = (recorded: string) => {
  const [, set = "", version = ""] = /^(.+)@(.+)\+[0-9a-f]{8}$/.exec(recorded) ?? []
  return { set, version }
}
