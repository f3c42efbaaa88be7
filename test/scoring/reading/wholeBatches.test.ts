/** Names of batches without a verb, and methods of models: the act on all items counts, not the name. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

const levelOf = (actionType: string, targetResource?: string): string =>
  firstOpinionOn({
    actionType,
    environment: "production",
    ...(targetResource === undefined ? {} : { targetResource })
  }).actionRisk.level

describe("a batch of things without a verb", () => {
  it.each(["batch_documents", "batch_orders", "batch_customers"])(
    "%s changes them, and reads none",
    (name) => {
      expect(levelOf(name)).not.toBe("low")
    }
  )

  it("of images does not count as one of programs", () => {
    expect(levelOf("batch_images")).toBe("moderate")
  })

  it.each(["batch_status", "bulk_results"])("%s is read", (name) => {
    expect(levelOf(name)).toBe("low")
  })
})

describe("a method of a model", () => {
  it("is what is done, not the model", () => {
    expect(levelOf("odoo_execute_kw", "sale.order search_read state=draft")).toBe("low")
    expect(levelOf("odoo_execute_kw", "res.partner unlink")).not.toBe("low")
    expect(levelOf("odoo_execute_kw", "res.partner write")).not.toBe("low")
  })
})

describe("a function that changes what its data say", () => {
  it.each(["BAPI_CONTRACT_CHANGEFROMDATA", "BAPI_SALESORDER_CHANGEFROMDAT2"])(
    "%s is no small write",
    (name) => {
      expect(levelOf(name)).toBe("moderate")
    }
  )
})
