/** What a call does whose tool only hands on: a request, a form, a button. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/next.ts"

type Call = Partial<Action> & { readonly actionType: string }

const levelOf = (call: Call): string =>
  firstOpinionOn({ environment: "production", ...call }).actionRisk.level

const claims: ReadonlyArray<readonly [claim: string, level: string, call: Call]> = [
  [
    "a fragment is never sent",
    "high",
    { actionType: "https_request", targetResource: "POST https://api.stripe.com/v1/payouts#/search" }
  ],
  [
    "two points lead back",
    "high",
    { actionType: "https_request", targetResource: "POST https://api.stripe.com/v1/payouts/simulate/.." }
  ],
  [
    "a path may be encoded",
    "high",
    { actionType: "https_request", targetResource: "POST https://api.stripe.com/v1/%70ayouts" }
  ],
  [
    "a header can make another method of it",
    "moderate",
    {
      actionType: "https_request",
      targetResource: "POST https://api.example.com/customers/7 X-HTTP-Method-Override: DELETE"
    }
  ],
  [
    "a request that reads is a read",
    "low",
    { actionType: "https_request", targetResource: "GET https://api.example.com/v2/tickets/81" }
  ],
  [
    "the method and the path say what is deleted",
    "critical",
    { actionType: "rest.request", targetResource: "DELETE /v1/projects/atlas" }
  ],
  [
    "what a thing is called hides no collection",
    "critical",
    { actionType: "https_request", targetResource: "DELETE https://api.example.com/crm/v3/schemas/orders" }
  ],
  [
    "method and address may be named",
    "moderate",
    {
      actionType: "api_call",
      targetResource: '{"method":"POST","url":"https://api.example.com/v1/refunds","body":{"amount":40}}'
    }
  ],
  [
    "the body says who may do what afterwards",
    "critical",
    { actionType: "graph_call", targetResource: 'POST /v1.0/users {"role":"Administrator"}' }
  ],
  [
    "GraphQL says it in the body",
    "critical",
    {
      actionType: "https_request",
      targetResource:
        'POST https://api.example.com/graphql {"query":"mutation { deleteProject(id: 4) { id } }"}'
    }
  ],
  [
    "a search by POST reads",
    "low",
    { actionType: "http_request", targetResource: 'POST https://api.example.com/v1/search {"q":"shoes"}' }
  ],
  [
    "a tool with a meaning of its own is made no milder by a request",
    "critical",
    { actionType: "delete_database", targetResource: "GET https://api.example.com/v1/databases/7" }
  ],
  [
    "a provider's repository is lost from a laptop too",
    "critical",
    {
      actionType: "Bash",
      environment: "development",
      targetResource: "curl -X DELETE https://api.github.com/repos/octoco/webx"
    }
  ],
  [
    "a form is what its address does",
    "critical",
    {
      actionType: "browser_submit_form",
      targetResource: "https://console.cloud.example/iam/users/new role=Administrator"
    }
  ],
  [
    "a button says what it does",
    "high",
    { actionType: "browser_click", targetResource: "button 'Place order and pay'" }
  ],
  ["a button that only leads on is a click", "low", { actionType: "browser_click", targetResource: "Next" }]
]

describe("handed on", () => {
  it.each(claims)("%s", (_claim, level, call) => {
    expect(levelOf(call)).toBe(level)
  })
})
