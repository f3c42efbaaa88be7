/** What is taken away beside the thing itself: what protects, what remembers, and data that leaves on the way. */

import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../../src/rules/files/readTree.ts"
import { loadRelease } from "../../../../src/rules/release/loadRelease.ts"
import { firstModelOf } from "../../../../src/scoring/edition1/edition.ts"
import { normalize } from "../../../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon as working } from "../../../support/lexicon.ts"
import { read } from "../../../support/read.ts"
import { readsAs } from "../../../support/readsAs.ts"

describe("a safeguard", () => {
  readsAs(`
    audit_logging.disable                | audit_logging.disable        | configure open   | a trace goes
    disable audit logging                | audit_logging.disable        | configure open   | a trace goes
    AUDIT-LOG.delete                     | audit_log.delete             | delete single    | a trace goes
    rows.delete @ public.audit_log       | rows.delete                  | delete bulk      | a trace goes
    service.stop @ auditd                | service.stop                 | configure open   | a trace goes
    cloudtrail:StopLogging               | trail.disable                | configure open   | a trace goes
    cloudtrail:PutEventSelectors         | trail_coverage.put           | write bulk       | a trace goes
    guardduty:DeleteDetector             | threat_detector.disable      | configure open   | a trace goes
    backup_plan.disable                  | backup_plan.disable          | configure open   | data store, a protection goes
    disable versioning                   | versioning.disable           | configure open   | a protection goes
    monitor.mute                         | monitor.mute                 | write single     | a protection goes
    firewall.frobnicate                  | firewall_frobnicate.unclassified | unknown open | a protection goes
  `)
})

describe("a safeguard that stays", () => {
  readsAs(`
    audit_log.list                       | audit_log.list               | read bulk        |
    audit_log.append                     | audit_log.append             | write single     |
    versioning.enable                    | versioning.enable            | configure open   |
    service.stop @ thumbnailer           | service.stop                 | configure open   |
    audit.delete                         | audit.delete                 | delete single    |
  `)

  it("is a target system in which something else is deleted", () => {
    const deleted = { actionType: "comment.delete", targetSystem: "audit log viewer" }
    expect(normalize(deleted, working).safeguardWeakened).toBe(0)
  })
})

describe("data that leaves by another verb", () => {
  readsAs(`
    export_and_delete                    | export.delete                | delete bulk      | exports too
    customers: download, then wipe       | customers_download.wipe      | destroy bulk     | exports too
    dump and drop database               | dump_database.drop           | destroy bulk     | data store, exports too
    exfiltrate_purge                     | exfiltrate.purge             | delete bulk      | exports too
    run_export                           | export.run                   | execute bulk     | exports too
    COPY orders TO '/srv/x'              | orders_srv_x.copy            | transact bulk    | exports too
    delete_export                        | export.delete                | delete bulk      |
    download.delete                      | download.delete              | delete single    |
    grant_export                         | export.grant                 | access bulk      |
    export_customers                     | customers.export             | export bulk      |
  `)
})

describe("release 1.0.0", () => {
  const { lexicon } = firstModelOf(read(loadRelease(packageRoot, "1.0.0")))

  it.each(["audit_logging.disable", "cloudtrail:StopLogging", "rows.delete"])(
    "knows of no safeguard in `%s`",
    (actionType) => {
      expect(normalize({ actionType, targetResource: "audit_log" }, lexicon).safeguardWeakened).toBe(0)
    }
  )
})
