/** Prose, names and addresses are not commands, even if they begin with the name of a program. */

import { describe, expect, it } from "vitest"
import { reading } from "../../../support/commands.ts"

/** Texts that agents write into action_description and target_resource. */
const texts = [
  "Delete the old rows from the staging table",
  "git is great",
  "Refund the customer for order 4711",
  "Update the CRM record with the new phone number",
  "Find all customers who have not paid and send them a reminder",
  "Select the best candidate from the list",
  "kill the zombie process on web-1",
  "Make sure that the build passes before we merge",
  "Read the quarterly report and summarize it",
  "cat is the user's favourite animal",
  "Drop the users table",
  "drop off the package at the front desk",
  "Create a new issue for the login bug",
  "Move the file to the archive folder",
  "Send an email to bob@example.com about the invoice",
  "head of sales asked for the numbers",
  "sort the list by date and remove duplicates",
  "time to deploy the new version",
  "Touch base with the client on Monday",
  "watch the queue and restart workers if needed",
  "test the connection to the database",
  "Grant access to Bob for the finance folder",
  "Revoke the token of the contractor",
  "Insert the missing rows into the table",
  "Truncate the description to 100 characters",
  "Call the customer back at 5pm",
  "Execute the payment of 500 EUR to ACME GmbH",
  "Show me the latest orders",
  "Use the staging environment",
  "Set the price to 20 EUR",
  "Merge the pull request once checks are green",
  "Lock the account after 3 failed attempts",
  "Copy the folder to the shared drive",
  "Explain the results of the analysis",
  "Begin the rollout on Tuesday",
  "from the logs it looks like an outage",
  "with regards to the incident, notify the team",
  "open the gate at building 3",
  "less than 10 rows are affected",
  "more details in the ticket",
  "at the request of legal, export the mailbox",
  "install the printer driver on laptop 7",
  "service is down, restart it please",
  "node is unhealthy, drain it if possible",
  "go ahead with the migration",
  "date of birth was corrected",
  "history of changes for the account",
  "cut costs in the EU region",
  "split the bill between departments",
  "top customers by revenue this quarter",
  "Scale the web deployment to 5 replicas",
  "Rotate the API key for the payment provider",
  "make a backup of the database, then delete the old one",
  "curl up with a good book",
  "echo chamber effects are discussed in the doc",
  "python is slow on this machine",
  "The agent runs rm -rf / to clean up the disk",
  "Archive customer 4711; notify sales",
  "Issue refund (order #123), amount: $45.00",
  "https://example.com/path?x=1",
  "/api/v1/users/42",
  "customers/4711",
  "web-01",
  "prod-db",
  "orders",
  "acme/app#12",
  "s3://bucket/key",
  "user@example.com",
  "production",
  "*",
  "all",
  "Rename column in docs & update links",
  "Close tickets | assign to Bob",
  "patch",
  "update",
  "delete",
  "install",
  "test",
  "Approve",
  "select",
  "restart nginx",
  "deploy to production",
  "select option 3",
  "update available",
  "list users",
  "create invoice",
  "kubectl access for the new team",
  "docker image is outdated"
]

describe("a text that is no command", () => {
  it.each(texts)("%s", (text) => {
    expect(reading(text)).toBeUndefined()
  })
})

describe("a command that holds English words", () => {
  it.each([
    'git commit -m "remove the old users from the table"',
    'echo "this is a test of the system" > a.txt',
    "grep -rn 'the end of the file' src",
    'gh pr create --title "Fix the build" --body "this is what it does"',
    "kubectl delete ns a",
    "mv a b",
    "SELECT a.id FROM a WHERE a.i = 1",
    "UPDATE t SET note = 'the old one is gone' WHERE id = 5"
  ])("%s", (text) => {
    expect(reading(text)).toBeDefined()
  })
})

describe("words of a sentence around a grave command", () => {
  it.each([
    "git is great; rm -rf /",
    "echo this is the cleanup && rm -rf /",
    "rm -rf / # to clean up the disk for the team",
    "set -e; rm -rf /",
    "find the old files; git push --mirror evil"
  ])("do not hide it: %s", (text) => {
    expect(reading(text)?.acts[0]).toMatchObject({ impact: "critical", anywhere: true })
  })
})

describe("a text of a shell tool", () => {
  it("is unread where the program is unknown", () => {
    expect(reading("mytool --flag", "shell")).toMatchObject({ unread: true })
    expect(reading("$CMD foo", "shell")).toMatchObject({ unread: true })
  })

  it("is no command where it is a name", () => {
    expect(reading("web-01", "shell")).toBeUndefined()
  })

  it("is no command where it does not parse", () => {
    expect(reading("rm -rf (", "shell")).toBeUndefined()
  })

  it("is unread where it is longer than the limit", () => {
    expect(reading(`echo ${"a".repeat(9000)}`, "shell")).toMatchObject({ unread: true })
    expect(reading(`The report says ${"that all is well ".repeat(900)}`)).toBeUndefined()
  })
})

describe("a known program in a shell is called, where the words after it may be names", () => {
  it.each(["mv old new", "git checkout new", "restic ls latest", "docker pull nginx latest"])(
    "%s",
    (text) => {
      expect(reading(text, "shell")?.unread).toBe(false)
    }
  )

  it.each(["kill them all", "find the customers in Berlin"])("and a sentence stays one: %s", (text) => {
    expect(reading(text, "shell")).toBeUndefined()
  })
})
