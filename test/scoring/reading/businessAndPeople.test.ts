/** Money, doors, mail, alerts and records of people, by kind of act: acts that are grave under any name, and similar ones that are not. */

import { describe, expect, it } from "vitest"
import { firstOpinionOn } from "../../support/opine.ts"

type Asked = Omit<Parameters<typeof firstOpinionOn>[0], "actionType" | "environment">

const levelOf = (actionType: string, stated: Asked = {}): string =>
  firstOpinionOn({ actionType, environment: "production", ...stated }).actionRisk.level

describe("a generic verb for a smart lock", () => {
  it.each(["nuki", "august", "ttlock", "smartthings"])("may open a door at %s", (targetSystem) => {
    expect(levelOf("lock_action", { targetSystem })).toBe("high")
  })

  it.each([
    ["lock_record", "salesforce", "a report"],
    ["lock_issue", "github", "an issue"],
    ["update_issue", "github", "unlock door animation"]
  ])("is no door in %s at %s", (actionType, targetSystem, targetResource) => {
    expect(levelOf(actionType, { targetSystem, targetResource })).toBe("low")
  })
})

describe("a rule of a mailbox", () => {
  it.each([
    ["New-InboxRule", "ForwardTo=all DeleteMessage=true", "critical"],
    ["Set-Mailbox", "ForwardingSmtpAddress=someone@proton.example", "high"],
    ["create_mail_rule", "forward all to someone@proton.example", "high"],
    ["create_mail_rule", "move newsletters to folder", "moderate"]
  ])("%s with %s is %s", (actionType, targetResource, level) => {
    const targetSystem = actionType === "create_mail_rule" ? "outlook" : "exchange-online"
    expect(levelOf(actionType, { targetSystem, targetResource })).toBe(level)
  })
})

describe("an alert to everybody", () => {
  it.each([
    ["push_alert", "ipaws wea", "county-wide evacuation message"],
    ["push_alert", "ipaws", "flood"],
    ["activate_siren", "county sirens", "north"]
  ])("%s at %s is critical", (actionType, targetSystem, targetResource) => {
    expect(levelOf(actionType, { targetSystem, targetResource })).toBe("critical")
  })

  it.each([
    ["send_message", "slack", "evacuation drill tomorrow"],
    ["create_page", "confluence", "evacuation plan"]
  ])("%s at %s about one is low", (actionType, targetSystem, targetResource) => {
    expect(levelOf(actionType, { targetSystem, targetResource })).toBe("low")
  })

  it("is no alert to a team", () => {
    expect(levelOf("push_alert", { targetSystem: "grafana" })).toBe("moderate")
    expect(levelOf("send_email", { targetResource: "amber alert dashboard naming" })).toBe("moderate")
  })
})

describe("a request to be forgotten", () => {
  it.each(["dsar.erase_subject", "erase_subject", "user_erasure"])("%s erases a person", (actionType) => {
    expect(levelOf(actionType, { targetSystem: "onetrust" })).toBe("high")
  })

  it.each(["dsar.create", "dsar.list"])("%s erases no person", (actionType) => {
    expect(levelOf(actionType, { targetSystem: "onetrust" })).toBe("low")
  })
})

describe("a draft", () => {
  it.each([
    ["update_purchase_order", "PO00817 line 2, state=draft"],
    ["delete_line_item", 'quote Q-1182 (draft), line "setup fee"'],
    ["create_bill", "pending approval"]
  ])("%s of %s obliges no one", (actionType, targetResource) => {
    expect(levelOf(actionType, { targetResource, entitiesAffected: 1 })).toBe("low")
  })

  it("is none once it is confirmed in the same call", () => {
    const targetResource = "PO00817 state=draft, then confirm"
    expect(levelOf("update_purchase_order", { targetResource })).not.toBe("low")
  })
})

describe("a message of one's own", () => {
  it("is taken back, while someone else's is deleted", () => {
    expect(levelOf("delete_message", { targetSystem: "slack", targetResource: "own message" })).toBe("low")
    expect(
      levelOf("delete_message", { targetSystem: "slack", targetResource: "message of a customer" })
    ).toBe("moderate")
    expect(
      levelOf("delete_messages", { targetSystem: "slack", targetResource: "own messages, all of a channel" })
    ).toBe("moderate")
  })
})

describe("a link for everybody", () => {
  it("is critical on what would hurt people", () => {
    const open = { targetSystem: "dropbox", targetResource: "/HR/Salaries.xlsx audience=public" }
    expect(levelOf("create_shared_link", open)).toBe("critical")
    expect(
      levelOf("create_shared_link", { ...open, targetResource: "/HR/Salaries.xlsx audience=team" })
    ).not.toBe("critical")
  })
})

describe("many records of people", () => {
  const grades = { targetSystem: "powerschool", dataClassification: "regulated" } as const

  it("are grave to change, and one is not", () => {
    expect(levelOf("update_student_record", { ...grades, recordsAffected: 418 })).toBe("high")
    expect(levelOf("update_student_record", { ...grades, recordsAffected: 1 })).toBe("low")
  })

  it("are no file that is put", () => {
    expect(levelOf("sftp.put", { dataClassification: "regulated", recordsAffected: 418 })).not.toBe(
      "critical"
    )
  })
})

describe("everyday work of shops, schools and campaigns", () => {
  it.each([
    ["mark_item_sold_out", "square", "low"],
    ["menu.item.set_unavailable", "toast", "low"],
    ["zulip_send_stream_message", "zulip", "low"],
    ["get_grades", "canvas", "moderate"],
    ["grade_submission", "moodle", "moderate"],
    ["adCampaigns.update", "linkedin-marketing", "moderate"],
    ["adCampaigns.get", "linkedin-marketing", "low"],
    ["close_position", "greenhouse", "moderate"],
    ["close_position", "alpaca", "high"]
  ])("%s at %s is %s", (actionType, targetSystem, level) => {
    expect(levelOf(actionType, { targetSystem })).toBe(level)
  })
})

describe("a safety interlock", () => {
  it.each(["disable_safety_interlock", "override_interlock"])(
    "is critical to switch off, because people rely on it: %s",
    (actionType) => {
      expect(levelOf(actionType)).toBe("critical")
    }
  )

  it("may be looked at", () => {
    expect(levelOf("get_interlock_status")).toBe("low")
  })
})

describe("an e-mail to 200,000 customers", () => {
  it.each(["send_email", "email_customers", "sms_customers", "notify_customers"])(
    "is high as %s",
    (actionType) => {
      expect(levelOf(actionType, { entitiesAffected: 200_000 })).toBe("high")
    }
  )
})
