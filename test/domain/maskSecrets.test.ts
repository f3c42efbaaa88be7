import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { maskSecrets } from "../../src/domain/maskSecrets.ts"
import { theorem } from "../support/theorem.ts"

describe("a masked command", () => {
  it.each([
    ["TOKEN=abc123def npm publish", "TOKEN=***** npm publish"],
    ["export STRIPE_API_KEY='abc123def'", "export STRIPE_API_KEY='*****'"],
    ["curl -H 'Authorization: Bearer abc123def' x", "curl -H 'Authorization: Bearer *****' x"],
    ["curl -H 'X-Api-Key: abc123def' x", "curl -H 'X-Api-Key: *****' x"],
    ["mysql --password hunter2hunter", "mysql --password *****"],
    ["mysql --password=hunter2hunter", "mysql --password=*****"],
    ["git clone https://bob:pa55@git.example/x", "git clone https://bob:*****@git.example/x"],
    ["echo ghp_0123456789abcdefghij", "echo *****"],
    ["psql -c 'select 1'", "psql -c 'select 1'"]
  ])("%s", (command, masked) => {
    expect(maskSecrets(command)).toBe(masked)
  })

  const pieces = fc.constantFrom(
    ..."; | & ' \" ` $( ) < > \n \\ rm -rf / ~/x ./y TOKEN= --password -H Bearer secret: sk-0123456789abc :// @ abcdefgh".split(
      " "
    ),
    " "
  )

  theorem(
    "keeps every character that a shell acts on, and every path, in its place",
    fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join("")),
    (command) => {
      const acting = (text: string) => text.replaceAll(/[\w+/=.:@%~*-]/g, "")
      const paths = (text: string) => text.match(/(?<![\w+=.:@%~*/-])[~./][\w./~-]*/g) ?? []
      const masked = maskSecrets(command)
      return acting(masked) === acting(command) && paths(masked).length === paths(command).length
    }
  )
})
