import { describe, expect, it } from "vitest"
import { prepareCatalogue, type ProviderData } from "../../../src/rules/files/providerFiles.ts"
import { type CatalogueMatch, findListed, withoutParameters } from "../../../src/scoring/reading/Catalogue.ts"
import { splitName } from "../../../src/scoring/names/splitName.ts"

const providers: Readonly<Record<string, ProviderData>> = {
  github: {
    prefixes: ["github", "gh"],
    actions: {
      merge_pull_request: { class: "write", impact: "moderate" },
      delete_item: { class: "delete", impact: "moderate" },
      list_items: { class: "read", extent: "list" },
      close: { class: "write" }
    }
  },
  store: {
    prefixes: ["acme_store"],
    systems: ["drive", "shop"],
    actions: {
      "DELETE /v1/items/{id}": { class: "delete", impact: "high" },
      delete_item: { class: "delete", impact: "high", holds: "confidential" },
      "files.list": { class: "read", extent: "list" },
      list_items: { class: "read", extent: "list" },
      github_search: { class: "read" }
    }
  },
  suite: { prefixes: ["suite"], includes: ["store"], actions: { "files.list": { class: "export" } } },
  agent: {
    prefixes: ["agent"],
    alone: ["Grep"],
    actions: { Grep: { type: "files.search", class: "read" }, Write: { class: "write", impact: "moderate" } }
  },
  plant: {
    prefixes: ["plc"],
    systems: ["press line"],
    onlyWhenNamed: true,
    actions: { start_process: { class: "actuate", impact: "critical" } }
  }
}

const catalogue = prepareCatalogue(providers)
const isWrapper = (word: string): boolean => word === "mcp" || word === "tools"

const find = (name: string, system?: string, server = 0): CatalogueMatch =>
  findListed(
    splitName(withoutParameters(name), () => false),
    server,
    system,
    catalogue,
    isWrapper
  )

const provider = (name: string, system?: string, server = 0) => find(name, system, server).act?.provider

describe("a name in the catalogues", () => {
  it.each([
    "merge_pull_request",
    "mergePullRequest",
    "merge-pull-request",
    "github.merge_pull_request",
    "mcp__github__merge_pull_request",
    "GH merge pull request"
  ])("%s is GitHub's", (name) => {
    expect(find(name).act).toMatchObject({ provider: "github", class: "write", impact: "moderate" })
  })

  it("has the provider that the target system names", () => {
    expect(provider("delete_item", "GitHub")).toBe("github")
    expect(provider("delete_item", "our gh mirror")).toBe("github")
  })

  it("belongs to no provider where several mean different things by it and none is named; the riskiest is reported", () => {
    const { act, elsewhere } = find("delete_item")
    expect(act).toBeUndefined()
    expect(elsewhere).toMatchObject({ provider: "store", impact: "high" })
  })

  it("is clear where all who list it mean the same", () => {
    expect(find("list_items").act).toMatchObject({ class: "read", extent: "list" })
  })

  it("is reported only as another provider's where the named provider does not list it", () => {
    const { act, elsewhere, provider: named } = find("agent_merge_pull_request")
    expect([act, elsewhere?.provider, named]).toEqual([undefined, "github", "agent"])
  })

  it("counts as a whole before a prefix is taken off", () => {
    expect(find("github_search").act).toMatchObject({ provider: "store" })
    expect(find("github_search").from).toBe(0)
  })
})

describe("a name of one word", () => {
  it("counts where its provider is named", () => {
    expect(provider("close", "github")).toBe("github")
    expect(provider("agent.write")).toBe("agent")
  })

  it("counts alone only where its file says that it is clear", () => {
    expect([provider("Grep"), provider("write"), provider("close")]).toEqual(["agent", undefined, undefined])
  })
})

describe("a word of the language that names a system", () => {
  it("is taken for a system as a part of a dotted name or as a server of tools, and stays in the name", () => {
    expect(find("drive.files.list")).toMatchObject({ act: { provider: "store" }, from: 0 })
    expect(provider("mcp__drive__files_list", undefined, 2)).toBe("store")
    expect(find("drive_files_list").act).toBeUndefined()
  })

  it("keeps no other provider from answering", () => {
    expect(provider("drive.merge_pull_request", "the drive team")).toBeUndefined()
    expect(provider("merge_pull_request", "the drive team")).toBe("github")
  })
})

describe("a suite", () => {
  it("answers for its products after itself", () => {
    expect(find("suite.delete_item").act).toMatchObject({ provider: "store" })
    expect(find("suite.files.list").act).toMatchObject({ provider: "suite", class: "export" })
  })
})

describe("a file whose names say something only where it is named", () => {
  it("stays silent elsewhere", () => {
    expect(find("start_process").act).toBeUndefined()
    expect(provider("plc.start_process")).toBe("plant")
    expect(provider("start_process", "press line")).toBe("plant")
    expect(provider("start_process", "the press line of hall 3")).toBeUndefined()
  })
})

describe("a path", () => {
  it.each([
    ["POST /v1/payouts/{id}/cancel", "POST payouts/cancel"],
    ["POST /payouts/:id/cancel", "POST payouts/cancel"],
    ["POST /v2/payouts/po_1Nx2/cancel?dry=1", "POST payouts/cancel"],
    ["GET /api/fhir/r4/Patient/{id}", "GET Patient"],
    ["GET /baseR4/Patient", "GET Patient"],
    ["DELETE /services/{id}", "DELETE services"],
    ["PATCH /v1.0/accounts({id})", "PATCH accounts"],
    ["POST /v1/{name}:cancel", "POST :cancel"],
    ["/beta/users/42", " users"]
  ])("%s is %s", (path, plain) => {
    expect(withoutParameters(path)).toBe(plain)
  })

  it("is one name in all its versions", () => {
    expect(provider("DELETE /items/{item_id}")).toBe("store")
    expect(provider("delete /api/v3/items/9f8e7d6c5b4a")).toBe("store")
  })
})
