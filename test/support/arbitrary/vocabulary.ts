/** Words that agents and providers use: the harmless ones of most calls, and the others. */

export interface Words {
  readonly actionTypes: ReadonlyArray<string>
  readonly targetSystems: ReadonlyArray<string>
  readonly targetResources: ReadonlyArray<string>
  readonly destinations: ReadonlyArray<string>
}

export const quietWords: Words = {
  actionTypes: [
    "customer.get",
    "github.get_issue",
    "database.describe",
    "customers.list",
    "order.search",
    "query",
    "ticket.create",
    "UpdateCustomer",
    "contacts.bulk_update",
    "tag",
    "note.append",
    "customer.export",
    "export_all_contacts",
    "report.download",
    "file.share",
    "email.send",
    "send",
    "notification.publish",
    "slack.broadcast",
    "bulk_email.send",
    "payment.refund",
    "wire",
    "invoice.pay",
    "payouts.pay",
    "refund all",
    "service.deploy",
    "rollout",
    "merge to main",
    "firewall.configure",
    "scale",
    "instance.resize",
    "s3:GetObject",
    "stripe.refunds.create",
    "github.merge_pull_request",
    "slack.chat.postMessage",
    "audit_log.disable",
    "audit_log.list",
    "logging.disable",
    "cloudtrail:PutEventSelectors",
    "monitor.mute"
  ],
  targetSystems: ["crm", "billing", "pre-prod crm", "orders database"],
  targetResources: ["order 1017", "Q3 report", "non-production", "orders audit log", "bucket/reports"],
  destinations: ["partner@example.com", "https://files.example.com/in", "GB82 WEST 1234", "not prod"]
}

export const anyWords: Words = {
  actionTypes: [
    ...quietWords.actionTypes,
    "password.reveal",
    "user.delete",
    "backup.delete",
    "users.delete",
    "records.purge",
    "purge",
    "sql: truncate table",
    "role.grant",
    "admin.update",
    "admin.invite",
    "api_key.create",
    "policy.attach",
    "sso.configure",
    "roles.assign",
    "drop database",
    "volume.destroy",
    "instance.terminate",
    "wipe",
    "drop all tables",
    "shell.exec",
    "run",
    "function.invoke",
    "code.eval",
    "secretsmanager:GetSecretValue",
    "iam:AttachUserPolicy",
    "k8s.pods.delete",
    "terraform destroy",
    "ec2:TerminateInstances",
    "DROP TABLE",
    "rm -rf",
    "kubectl exec",
    "frobnicate",
    "customer.zorble",
    "zorble_all",
    "disable MFA",
    "export_and_delete",
    "offload and purge records",
    "delete_download",
    "run_export"
  ],
  targetSystems: [...quietWords.targetSystems, "prod-crm", "live", "admin console"],
  targetResources: [
    ...quietWords.targetResources,
    "orders-production",
    "root",
    "*",
    "all",
    "%",
    "git status",
    "rm -rf /srv/data",
    "DROP TABLE customers"
  ],
  destinations: [...quietWords.destinations, "replica.prod.example.com"]
}
