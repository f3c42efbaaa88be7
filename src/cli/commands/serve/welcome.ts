/** What a newcomer reads: the key, and a command line to copy. */

import type { Sheet } from "../../render/Sheet.ts"
import type { FirstKey } from "./firstKey.ts"

const request = {
  action_type: "customer.export",
  environment: "production",
  records_affected: 25_000,
  destination: "files.example.net"
}

export const welcome = ({ ink }: Sheet, { key, organization }: FirstKey, url: string): string =>
  [
    `The organization ${ink("bold", organization)} and its test key were created; the key is shown this once:`,
    "",
    `  ${ink("bold", key)}`,
    "",
    "Try it:",
    "",
    `  curl -s ${url}/api/v1/actions/assess \\`,
    `    -H 'authorization: Bearer ${key}' \\`,
    "    -H 'content-type: application/json' \\",
    `    -d '${JSON.stringify(request)}'`,
    ""
  ].join("\n")
