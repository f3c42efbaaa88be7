/** A call whose tool only passes something on (a request, a form, a button) counts as what it passes on. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/opine.ts"

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
  ...[
    "gh api -X DELETE repos/acme/app",
    "gh api graphql -f query='mutation { deleteRepository(input: {id: 7}) { clientMutationId } }'",
    "glab api --method DELETE projects/7"
  ].map(
    (targetResource) =>
      [
        `a request is read in whatever program makes it: ${targetResource}`,
        "critical",
        { actionType: "Bash", environment: "development", targetResource }
      ] as const
  ),
  ...[
    "az rest --method delete --url https://management.azure.com/subscriptions/x/resourceGroups/web",
    "kubectl delete --raw /api/v1/namespaces/web"
  ].map(
    (targetResource) =>
      [
        `a request is read in whatever program makes it: ${targetResource}`,
        "critical",
        { actionType: "Bash", targetResource }
      ] as const
  ),
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

const destroysProject = '"mutation { deleteProject(id: 4) { id } }"'

const hidden: ReadonlyArray<readonly [claim: string, resource: string]> = [
  [
    "behind another field of a mutation",
    'POST /graphql {"query":"mutation { ping deleteProject(id: 4) { id } }"}'
  ],
  [
    "behind an alias and a selection",
    'POST /graphql {"query":"mutation { a: ping { ok } b: deleteProject(id: 4) { id } }"}'
  ],
  [
    "in a fragment",
    'POST /graphql {"query":"mutation { ...F } fragment F on Mutation { deleteProject(id: 4) { id } }"}'
  ],
  [
    "in an inline fragment",
    'POST /graphql {"query":"mutation { ... on Mutation { deleteProject(id: 4) { id } } }"}'
  ],
  ["in a batch of GraphQL", `POST /graphql [{"query":"query { me { id } }"},{"query":${destroysProject}}]`],
  [
    "in the query of the address",
    "GET https://a.example/graphql?query=mutation%7BdeleteProject(id:4)%7Bid%7D%7D"
  ],
  ["behind another request", "GET https://a.example/v1/users DELETE https://a.example/v1/projects/atlas"],
  [
    "in a list of requests",
    '[{"method":"GET","url":"/v1/users"},{"method":"DELETE","url":"/v1/projects/atlas"}]'
  ],
  [
    "in the batch that a request sends",
    'POST https://a.example/$batch {"requests":[{"id":"1","method":"DELETE","url":"/projects/7"}]}'
  ],
  [
    "by the second of two methods",
    '{"method":"GET","method":"DELETE","url":"https://a.example/v1/projects/atlas"}'
  ],
  [
    "by the second of two addresses",
    '{"url":"https://a.example/v1/users","method":"DELETE","url":"https://a.example/v1/projects/atlas"}'
  ],
  [
    "by an object in the object",
    '{"request":{"method":"DELETE"},"url":"https://a.example/v1/projects/atlas"}'
  ],
  ["by escapes", '{"m\\u0065thod":"DE\\u004cETE","url":"https://a.example/v1/projects/atlas"}'],
  ["by another name of the method", '{"url":"https://a.example/v1/projects/atlas","http-verb":"DELETE"}'],
  ["by a GET that deletes", "GET https://a.example/projects/7/delete"],
  ["behind a parameter that the server need not know", "DELETE https://a.example/v1/projects/7?dry_run=true"]
]

describe("a deletion is found", () => {
  it.each(hidden)("%s", (_claim, targetResource) => {
    expect(levelOf({ actionType: "https_request", targetResource })).toBe("critical")
  })
})

describe("a GET", () => {
  it.each([
    ["that transfers an amount pays", "high", "GET https://bank.example/transfer?amount=5000&to=7"],
    [
      "of an amount acts on a site for readers too",
      "high",
      "GET https://docs.bank.example/transfer?amount=5000"
    ],
    ["of a deed alone is asked on a site for readers too", "moderate", "GET https://docs.a.example/reboot"],
    ["that approves is asked", "moderate", "GET https://a.example/api/v1/workflow/approve"],
    ["of a name that is also a deed is asked", "moderate", "GET https://registry.example/kill"],
    ["of a page of a manual is a read", "low", "GET https://a.example/linux/man2/kill"],
    ["of an article is a read", "low", "GET https://en.encyclopedia.example/wiki/Kill"],
    ["of a package is a read", "low", "GET https://a.example/crates/shred"],
    ["of a price is a read", "low", "GET https://a.example/v2/prices/BTC-USD/sell"],
    ["of a file of a repository is a read", "low", "GET https://a.example/repos/o/r/contents/scripts/deploy"],
    ["that asks for the head alone is a read", "low", "HEAD https://a.example/delete"],
    ["that restarts something is no read", "moderate", "GET https://a.example/admin/reboot"],
    ["of a page that tells how to deploy is a read", "low", "GET https://docs.acme.example/cli/deploy"],
    ["of one transfer is a read", "low", "GET https://bank.example/transfer?id=7"],
    ["of a sign-in page is a read", "low", "GET https://a.example/oauth/authorize?client_id=7"],
    ["of a search for a verb is a read", "low", "GET https://a.example/v1/search?q=delete"]
  ])("%s", (_claim, level, targetResource) => {
    expect(levelOf({ actionType: "https_request", targetResource })).toBe(level)
  })
})

it("reads GraphQL without a request around it", () => {
  const opinionOn = (actionType: string, targetResource: string) => levelOf({ actionType, targetResource })
  expect(opinionOn("hasura.graphql", "mutation { deleteProject(id: 4) { id } }")).toBe("critical")
  expect(opinionOn("all_monday_api", '{"query":"mutation { deleteProject(id: 4) { id } }"}')).toBe("critical")
  expect(opinionOn("hasura.graphql", "query { users(limit: 3) { id } }")).toBe("low")
  const local =
    'curl -X POST http://localhost:3000/graphql -d \'{"query":"mutation { deleteUser(id: 1) { id } }"}\''
  expect(levelOf({ actionType: "Bash", environment: "development", targetResource: local })).toBe("low")
})

describe("a mutation of GraphQL is found", () => {
  it.each([
    ["behind a quotation mark in a comment", 'mutation { ping # "\n deleteRepository(id:1){id} # "\n}'],
    ["behind a bracket in a comment", "mutation { ping # (\n deleteAllUsers }"],
    ["behind a selection in a comment", "mutation #{ping}\n{deleteAllUsers}"],
    ["behind a comment whose end was escaped", "mutation { ping # x\\n deleteAllUsers }"],
    ["behind a bracket that nothing closes", "mutation { ping( deleteAllUsers }"],
    ["behind a subscription", "subscription{a}mutation{deleteAllUsers}"],
    ["after a comma", ",mutation{deleteAllUsers}"],
    ["in brackets", "(mutation{deleteAllUsers})"],
    ["in a fragment with a directive", "mutation { ... @include(if:true) { deleteAllUsers } }"],
    ["behind many fields", `mutation { ${[..."abcdefghijklmnopqrs"].join(" ")} deleteAllUsers }`]
  ])("%s", (_claim, targetResource) => {
    expect(levelOf({ actionType: "hasura.graphql", targetResource })).toBe("critical")
  })

  it("after the text of a parameter, in a tool that asks", () => {
    const targetResource = 'mutation M($a:S="x"){deleteAllUsers}'
    expect(levelOf({ actionType: "hasura.query", targetResource })).toBe("critical")
  })

  it("and its texts do nothing", () => {
    const targetResource =
      'POST https://a.example/graphql {"query":"mutation { createComment(body:\\"it is (#\\") { id } }"}'
    expect(levelOf({ actionType: "https_request", targetResource })).toBe("low")
  })
})

describe("what a read hides is found", () => {
  it.each([
    ["SQL in JSON", '{"method":"POST","url":"https://a.example/query","body":{"sql":"DROP DATABASE prod"}}'],
    ["SQL in a body", 'POST https://a.example/query {"statement":"DELETE FROM users"}'],
    ["SQL in an address", "POST http://influx.example:8086/query?q=DROP%20DATABASE%20prod"],
    ["SQL in a GET", "GET https://a.example:8123/?query=DROP+TABLE+users"],
    ["SQL in a search", 'POST https://a.example/search {"query":"DROP TABLE users"}']
  ])("%s", (_claim, targetResource) => {
    expect(levelOf({ actionType: "https_request", targetResource })).toBe("critical")
  })

  it("a deletion of what is found", () => {
    const scoreOf = (targetResource: string) =>
      firstOpinionOn({ actionType: "https_request", environment: "production", targetResource }).actionRisk
        .score
    expect(scoreOf("DELETE https://a.example/users/search")).toBeGreaterThanOrEqual(
      scoreOf("DELETE https://a.example/users")
    )
  })

  it("but a search on the web for SQL finds texts", () => {
    const targetResource = "GET https://find.example/search?q=DROP%20TABLE%20users"
    expect(levelOf({ actionType: "https_request", targetResource })).toBe("low")
  })
})

describe("an address alone", () => {
  it.each([
    ["can mutate", "critical", "http_get", "https://a.example/graphql?query=mutation{deleteAllUsers}"],
    ["can delete by SQL", "critical", "WebFetch", "https://a.example:8123/?query=DROP+TABLE+users"],
    ["names a page", "low", "WebFetch", "https://en.encyclopedia.example/wiki/Kill"],
    ["reads what it names", "low", "fetch", "https://a.example/users/7"]
  ])("%s", (_claim, level, actionType, targetResource) => {
    expect(levelOf({ actionType, targetResource })).toBe(level)
  })
})

describe("nothing runs a text", () => {
  it.each([
    ["that is looked for", "web_search", "mutation { deleteUser } graphql example"],
    ["that is a pattern", "Grep", '{"pattern":"mutation { deleteUser","path":"."}'],
    ["that is a comment", "linear.create_comment", "mutation { deleteUser }"],
    ["that is looked for in logs", "datadog.search_logs", "DELETE /users status:500"]
  ])("%s", (_claim, actionType, targetResource) => {
    expect(levelOf({ actionType, targetResource })).toBe("low")
  })
})

it("reads GraphQL that only asks as a read", () => {
  const targetResource =
    '{"method":"POST","url":"https://a.example/graphql","body":{"query":"query { me { id } }"}}'
  expect(levelOf({ actionType: "https_request", targetResource })).toBe("low")
})

it("ignores parameters of a request that would lower it", () => {
  const asked = (targetResource: string) =>
    firstOpinionOn({ actionType: "https_request", environment: "production", targetResource }).actionRisk
      .score
  expect(asked("DELETE https://a.example/v1/users/7?dry_run=true")).toBe(
    asked("DELETE https://a.example/v1/users/7")
  )
})

describe("handed on", () => {
  it.each(claims)("%s", (_claim, level, call) => {
    expect(levelOf(call)).toBe(level)
  })
})
