/** The page of an assessment, as a golden file: of the second edition with all that it can show, of the first with what it lacks. */

import { expect, it } from "vitest"
import { assessmentPage } from "../../src/console/pages/assessmentPage.ts"
import { storedBy, viewOf } from "../support/consoleView.ts"

const request = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  target_resource: "list 118, newsletter subscribers",
  destination: "https://p\u0430yp\u0430l.example/in\u202egpj.exe",
  records_affected: 90_000
}

/** One element a line, and no name that changes with the style sheet. */
const readable = (html: string): string =>
  html
    .replaceAll(/(<\/(?:li|section|div|p|details|tr|ul)>)/g, "$1\n")
    .replaceAll(/console-[0-9a-f]{16}/g, "console")

it.each(["1.1.0", "2.0.0"] as const)(
  "the page of an assessment by rules %s is as agreed",
  async (version) => {
    const page = assessmentPage(viewOf(storedBy(version, request)))
    await expect(readable(page.html)).toMatchFileSnapshot(`../golden/console/assessment-${version}.html`)
  }
)
