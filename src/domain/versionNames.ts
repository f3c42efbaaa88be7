/** How an assessment names the rule release and the policy set that scored it, and how such a name is read. */

/** A rule release, or a version of a policy set. */
interface Version {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
}

/** The version of the scoring code. It rises whenever the same request, history and rules could score differently. */
export const engineVersion = "1.0.0"

/** `<engine semver>+<rules version>.<8 hex>` */
export const riskEngineVersionOf = ({ digest, version }: Version): string =>
  `${engineVersion}+${version}.${digest.slice(0, 8)}`

/** `<set>@<version>+<8 hex>` */
export const policyVersionOf = ({ digest, name, version }: Version & { readonly name: string }): string =>
  `${name}@${version}+${digest.slice(0, 8)}`

/** The release of a recorded engine version, with the first digits of its digest. Empty texts where it has another form. */
export const readEngineVersion = (recorded: string) => {
  const [, version = "", digest = ""] = /^[^+]+\+(.+)\.([0-9a-f]{8})$/.exec(recorded) ?? []
  return { version, digest }
}

/** The policy set and its version of a recorded policy version. Empty texts where it has another form. */
export const readPolicyVersion = (recorded: string) => {
  const [, set = "", version = ""] = /^(.+)@(.+)\+[0-9a-f]{8}$/.exec(recorded) ?? []
  return { set, version }
}
