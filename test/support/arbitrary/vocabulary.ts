/** Words that agents and providers use, each with what a person says of it: the oracle's stand-in for a lexicon. */

import type { Edition1Class, Extent, SafeguardRank } from "../../../src/scoring/edition1/NormalizedAction.ts"

export interface KnownWord {
  readonly text: string
  readonly dataStore?: true
  readonly admin?: true
  readonly credential?: true
  readonly production?: true
  readonly everything?: true
  readonly safeguard?: SafeguardRank
}

export interface KnownActionType extends KnownWord {
  readonly class: Edition1Class
  readonly extent: Extent
  readonly alsoExports?: true
  readonly safeguardWeakened?: SafeguardRank
  /** Where the class does not say so: `disable`, `mute`. */
  readonly takesAway?: true
}

const row = (
  actionClass: Edition1Class,
  extent: Extent,
  text: string,
  ...flags: ReadonlyArray<"dataStore" | "admin" | "credential">
): KnownActionType => ({
  text,
  class: actionClass,
  extent,
  ...Object.fromEntries(flags.map((flag) => [flag, true]))
})

export const actionTypes: ReadonlyArray<KnownActionType> = [
  row("read", "single", "customer.get"),
  row("read", "single", "github.get_issue"),
  row("read", "single", "database.describe", "dataStore"),
  row("read", "bulk", "customers.list"),
  row("read", "open", "order.search"),
  row("read", "bulk", "query"),
  row("read", "single", "password.reveal", "credential"),
  row("write", "single", "ticket.create"),
  row("write", "single", "UpdateCustomer"),
  row("write", "bulk", "contacts.bulk_update"),
  row("write", "open", "tag"),
  row("write", "single", "note.append"),
  row("delete", "single", "user.delete"),
  row("destroy", "open", "backup.delete", "dataStore"),
  row("delete", "bulk", "users.delete"),
  row("delete", "bulk", "records.purge"),
  row("delete", "open", "purge"),
  row("delete", "bulk", "sql: truncate table", "dataStore"),
  row("export", "bulk", "customer.export"),
  row("export", "bulk", "export_all_contacts"),
  row("export", "open", "report.download"),
  row("export", "open", "file.share"),
  row("communicate", "open", "email.send"),
  row("communicate", "open", "send"),
  row("communicate", "open", "notification.publish"),
  row("communicate", "bulk", "slack.broadcast"),
  row("communicate", "bulk", "bulk_email.send"),
  row("transact", "single", "payment.refund"),
  row("transact", "single", "wire"),
  row("transact", "single", "invoice.pay"),
  row("transact", "bulk", "payouts.pay"),
  row("transact", "bulk", "refund all"),
  row("access", "single", "role.grant"),
  row("access", "single", "admin.update", "admin"),
  row("access", "single", "admin.invite", "admin"),
  row("access", "single", "api_key.create", "credential"),
  row("access", "single", "policy.attach"),
  { text: "disable MFA", class: "access", extent: "open", admin: true, takesAway: true },
  row("access", "open", "sso.configure", "admin"),
  row("access", "bulk", "roles.assign"),
  row("deploy", "open", "service.deploy"),
  row("deploy", "open", "rollout"),
  row("deploy", "open", "merge to main"),
  row("configure", "open", "firewall.configure"),
  row("configure", "open", "scale"),
  row("configure", "open", "instance.resize"),
  row("destroy", "open", "drop database", "dataStore"),
  row("destroy", "open", "volume.destroy", "dataStore"),
  row("destroy", "open", "instance.terminate"),
  row("destroy", "open", "wipe"),
  row("destroy", "bulk", "drop all tables", "dataStore"),
  row("execute", "open", "shell.exec"),
  row("execute", "open", "run"),
  row("execute", "open", "function.invoke"),
  row("execute", "open", "code.eval"),
  row("read", "single", "s3:GetObject", "dataStore"),
  row("read", "single", "secretsmanager:GetSecretValue", "credential"),
  row("access", "single", "iam:AttachUserPolicy"),
  row("transact", "single", "stripe.refunds.create"),
  row("delete", "single", "k8s.pods.delete"),
  row("destroy", "bulk", "terraform destroy"),
  row("deploy", "single", "github.merge_pull_request"),
  row("destroy", "bulk", "ec2:TerminateInstances"),
  row("communicate", "open", "slack.chat.postMessage"),
  row("destroy", "open", "DROP TABLE", "dataStore"),
  row("destroy", "bulk", "rm -rf"),
  row("execute", "open", "kubectl exec"),
  { text: "export_and_delete", class: "delete", extent: "bulk", alsoExports: true },
  { text: "offload and purge records", class: "delete", extent: "bulk", alsoExports: true },
  { text: "delete_download", class: "delete", extent: "single" },
  { text: "run_export", class: "execute", extent: "bulk", alsoExports: true },
  { text: "audit_log.disable", class: "configure", extent: "open", takesAway: true, safeguardWeakened: 2 },
  { text: "audit_log.list", class: "read", extent: "bulk" },
  { text: "logging.disable", class: "configure", extent: "open", takesAway: true, safeguardWeakened: 1 },
  { text: "cloudtrail:PutEventSelectors", class: "write", extent: "bulk", safeguardWeakened: 2 },
  { text: "monitor.mute", class: "write", extent: "single", takesAway: true, safeguardWeakened: 1 },
  row("unknown", "open", "frobnicate"),
  row("unknown", "open", "customer.zorble"),
  row("unknown", "bulk", "zorble_all")
]

export const targetSystems: ReadonlyArray<KnownWord> = [
  { text: "crm" },
  { text: "billing" },
  { text: "pre-prod crm" },
  { text: "prod-crm", production: true },
  { text: "live", production: true },
  { text: "admin console", admin: true },
  { text: "orders database", dataStore: true }
]

export const targetResources: ReadonlyArray<KnownWord> = [
  { text: "order 1017" },
  { text: "Q3 report" },
  { text: "non-production" },
  { text: "orders-production", production: true },
  { text: "root", admin: true },
  { text: "orders audit log", safeguard: 2 },
  { text: "bucket/reports", dataStore: true },
  { text: "*", everything: true, admin: true },
  { text: "all", everything: true },
  { text: "%", everything: true }
]

export const destinations: ReadonlyArray<KnownWord> = [
  { text: "partner@example.com" },
  { text: "https://files.example.com/in" },
  { text: "GB82 WEST 1234" },
  { text: "not prod" },
  { text: "replica.prod.example.com", production: true }
]
