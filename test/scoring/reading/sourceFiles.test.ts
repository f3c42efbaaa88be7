/** A source file named after a secret is only code: `src/token.ts`. A file whose own name means a secret, a key or a system file still counts as one. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const scoreOf = (actionType: string, targetResource: string): number =>
  firstOpinionOn({ actionType, environment: "production", targetResource }).actionRisk.score

const sources = [
  "styles/tokens.css",
  "src/token.ts",
  "src/keyboard/keys.ts",
  "src/components/PasswordInput.tsx",
  "src/secrets.ts",
  "docs/secrets.md",
  "src/auth/password.ts",
  "src/admin/AdminPage.tsx",
  "app/controllers/admin_controller.rb",
  "src/auth/login.tsx",
  "docs/roles.md",
  "src/permissions.py",
  "app/policies/user_policy.rb",
  "src/firewall.go",
  "src/index.ts",
  "index.html",
  "src/users/account.ts",
  "docs/database.md",
  "src/domain/zone.ts",
  "src/domain/Order.ts",
  "lib/namespace.js",
  "src/bucket.ts",
  "src/hooks/useAccount.ts",
  "app/models/patient.rb",
  "token.go",
  "./src/token.ts",
  "/home/me/shop/src/app/[id]/token.tsx:12-40",
  "C:\\dev\\shop\\src\\Password.cs",
  "acme/shop:lib/refund.py",
  "packages/billing/invoice.ts#L4-L9"
]

const grave = [
  ".env",
  "src/.env.ts",
  "~/.aws/credentials.py",
  "~/.ssh/id_rsa",
  "~/.ssh/keys.py",
  "~/token.py",
  "credentials.py",
  "credentials.json",
  "config/secrets.rb",
  "deploy/prod/secret.py",
  "certs/server.pem",
  "certs/server.key",
  "/etc/nginx/token.lua",
  ".github/workflows/token.ts",
  ".git/hooks/token.py",
  "infra/token.tf",
  "k8s/secret.yaml",
  "data/accounts.csv",
  "dumps/users.sql",
  "notes/passwords.md",
  "patients/miller.md",
  "src/config.ts",
  "src/token.ts secrets/prod.yaml",
  "https://vault.example/token.html",
  "src/*token*.ts"
]

describe("a file of source", () => {
  it.each(sources)("%s is read, edited, written and deleted as any other is", (path) => {
    for (const name of ["Read", "Edit", "Write", "delete_file", "mcp__filesystem__edit_file"])
      expect(scoreOf(name, path)).toBe(scoreOf(name, "src/render.ts"))
    expect(scoreOf("Edit", path)).toBeLessThan(25)
  })

  it.each([
    "run_script",
    "execute_file",
    "Bash",
    "upload_file",
    "rotate_token",
    "grant_access",
    "share_file"
  ])("is no milder where it runs or leaves: %s", (actionType) => {
    for (const path of sources)
      expect(scoreOf(actionType, path)).toBeGreaterThanOrEqual(scoreOf(actionType, "src/render.ts"))
  })
})

describe("a file of secrets, of the system, of settings or of data", () => {
  it.each(grave)("%s is graver than any other file", (path) => {
    for (const actionType of ["Read", "Edit", "Write", "delete_file"])
      expect(scoreOf(actionType, path)).toBeGreaterThanOrEqual(scoreOf(actionType, "src/render.ts"))
    expect(scoreOf("Edit", path)).toBeGreaterThan(25)
  })
})

describe("an ending that names no thing", () => {
  it.each(["notes.txt", "src/notes.TXT", "docs/notes.txt"])("%s is no text message", (path) => {
    expect(scoreOf("Edit", path)).toBe(scoreOf("Edit", "src/render.ts"))
  })

  it("hides no secret", () => {
    expect(scoreOf("Read", "passwords.txt")).toBeGreaterThan(50)
  })
})
