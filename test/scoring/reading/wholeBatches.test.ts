/** Names of batches without a verb, and methods of models: what is done to all of them, and not what they are called. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/next.ts"

const levelOf = (actionType: string, targetResource?: string): string =>
  firstOpinionOn({
    actionType,
    environment: "production",
    ...(targetResource === undefined ? {} : { targetResource })
  }).actionRisk.level

describe("a batch of things without a verb", () => {
  it.each(["batch_documents", "batch_orders"])("%s changes them, and reads none", (name) => {
    expect(levelOf(name)).not.toBe("low")
  })

  it.each(["batch_status", "bulk_results"])("%s is read", (name) => {
    expect(levelOf(name)).toBe("low")
  })
})

describe("a method of a model", () => {
  it("is what is done, not the model", () => {
    expect(levelOf("odoo_execute_kw", "sale.order search_read state=draft")).toBe("low")
    expect(levelOf("odoo_execute_kw", "res.partner unlink")).not.toBe("low")
  })
})
