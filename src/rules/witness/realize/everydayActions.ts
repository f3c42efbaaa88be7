/** Names of actions and targets that read like life: what a witness is told in. What they mean is for the lexicon to say. */

const byKind: Readonly<Record<string, string>> = {
  write: `
    crm.contacts.update, tickets.update, contacts.bulk_update, ticket.update, git.fetch,
    dynamodb:UpdateItem, s3:CreateBucket, dynamodb:BatchWriteItem, rds:CopyDBSnapshot,
    secret.update`,
  read: `
    crm.contact.get, crm.contacts.list, orders.search, s3:GetObject, s3:ListObjectsV2,
    sheets.spreadsheets.values.get, sql.show, vault.read, k8s.secrets.list, ssm:GetParameters,
    azure.storage.account.keys.list, iam:ListMFADevices, slack.auth.test`,
  export: `
    crm.contacts.export, drive.files.share, report.download, s3:ReplicateObject, mysqldump,
    slack.admin.analytics.getFile, admin.datatransfer.transfers.insert, credentials.export`,
  communicate: `
    gmail.send, newsletter.send, stripe.invoices.send, password.send, passwords.send`,
  transact: `
    stripe.payouts.create, send_money, paypal.payroll.run, payouts.pay, invoice.pay`,
  delete: `
    crm.contact.delete, crm.contacts.delete, mailing_list.remove, s3:DeleteObject,
    s3:DeleteObjects, sql.drop_trigger, slack.admin.conversations.delete,
    slack.admin.conversations.bulkDelete, secretsmanager:DeleteSecret`,
  deployAndConfigure: `
    service.deploy, github.pulls.merge, docker_compose_up, apply_migration, firewall.configure,
    ec2:StopInstances, kms:DisableKey, rds:ModifyDBInstance, s3:PutBucketCors,
    admin.directory.orgunits.update, ssm:PutParameter`,
  access: `
    role.grant, iam:AttachUserPolicy, roles.assign, chmod, make_admin, okta.mfa.disable,
    slack.admin.conversations.setTeams, api_key.create, okta.users.resetPassword,
    kms:GenerateDataKey, s3:PutBucketPolicy, storage.buckets.setIamPolicy, sql.create_user,
    sql.set_password, admin.password.reset`,
  execute: `
    shell.exec, run_tests, sudo, bigquery.jobs.create`,
  destroy: `
    ec2:TerminateInstances, service.terminate, delete_repo, drop database, delete_all_backups,
    admin.directory.chromeosdevices.wipe`,
  weakenSafeguards: `
    audit_log.disable, logging.disable, backup.disable, monitor.mute, cloudtrail:DeleteTrail,
    cloudtrail:StopLogging, backup_vault_lock.delete, audit_log.delete, audit_logs.delete,
    audit_trail.update`,
  exportOnTheWay: `
    export_and_delete, export_and_grant_access, export_and_run, export_and_pay,
    export_and_terminate`,
  unknown: `
    frobnicate, frobnicate_all, frobnicate admin, frobnicate api key, frobnicate database`
}

/** The plainest of each kind first: of two names that mean the same to the rules, the earlier is used. */
export const everydayActions: ReadonlyArray<string> = Object.values(byKind).flatMap((names) =>
  names.split(",").map((name) => name.trim())
)

/** What an action is aimed at: plain, a data store, everything, and both. */
export const everydayResources: ReadonlyArray<string> = [
  "orders database",
  "all",
  "all databases",
  "*",
  "* of the orders database",
  "api key",
  "orders audit log"
]

/** Where it happens: a place of administrators, one in production, and both. */
export const everydaySystems: ReadonlyArray<string> = ["admin console", "billing-prod", "prod admin console"]
