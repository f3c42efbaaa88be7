/** Realistic names of actions and targets, each with what a lexicon reads in it. */

import type { Action } from "../../domain/Action.ts"
import type { Lexicon } from "../../scoring/edition1/lexicon/Lexicon.ts"
import { type ActionWords, normalizeAction } from "../../scoring/edition1/lexicon/normalize.ts"
import { includes, type ValueSet } from "../analysis/Box.ts"

/** Action types by kind, the plainest ones of each kind first. */
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

/** Of two names with the same meaning the earlier one is used. */
const everydayActions: ReadonlyArray<string> = Object.values(byKind).flatMap((names) =>
  names.split(",").map((name) => name.trim())
)

/** Target resources: a data store, everything, both, a credential and a safeguard. */
const everydayResources: ReadonlyArray<string> = [
  "orders database",
  "all",
  "all databases",
  "*",
  "* of the orders database",
  "api key",
  "orders audit log"
]

/** Target systems: an administrative one, one in production, and both. */
const everydaySystems: ReadonlyArray<string> = ["admin console", "billing-prod", "prod admin console"]

/** Names of an action and its targets, with what a lexicon reads in them. */
export interface Spelling {
  readonly names: Pick<Action, "actionType" | "targetResource" | "targetSystem">
  /** As read outside production. */
  readonly words: ActionWords
  readonly namesProduction: boolean
  /** Equal for spellings that differ in the canonical action type at most. */
  readonly meaning: string
}

const nonProduction = "development"

const targets: ReadonlyArray<Pick<Action, "targetResource" | "targetSystem">> = [
  {},
  ...everydaySystems.map((targetSystem) => ({ targetSystem })),
  ...everydayResources.flatMap((targetResource) => [
    { targetResource },
    ...everydaySystems.map((targetSystem) => ({ targetSystem, targetResource }))
  ])
]

const spell = (actionTypes: ReadonlyArray<string>, lexicon: Lexicon): ReadonlyArray<Spelling> =>
  targets.flatMap((target) =>
    actionTypes.map((actionType) => {
      const names = { actionType, ...target }
      const words = normalizeAction({ ...names, environment: nonProduction }, lexicon)
      const namesProduction = words.environment !== nonProduction
      const { type: _, ...meaning } = words.normalized
      return {
        names,
        words,
        namesProduction,
        meaning: JSON.stringify([meaning, words.namesEverything, namesProduction])
      }
    })
  )

/** One spelling of each meaning, plainest first. */
const distinct = (spellings: ReadonlyArray<Spelling>): ReadonlyArray<Spelling> => {
  const byMeaning = new Map<string, Spelling>()
  for (const spelling of spellings) {
    if (!byMeaning.has(spelling.meaning)) byMeaning.set(spelling.meaning, spelling)
  }
  return [...byMeaning.values()]
}

interface Everyday {
  readonly all: ReadonlyArray<Spelling>
  readonly distinct: ReadonlyArray<Spelling>
}

const byLexicon = new WeakMap<Lexicon, Everyday>()

const everyday = (lexicon: Lexicon): Everyday => {
  const known = byLexicon.get(lexicon)
  if (known !== undefined) return known
  const all = spell(everydayActions, lexicon)
  const made = { all, distinct: distinct(all) }
  byLexicon.set(lexicon, made)
  return made
}

/** One spelling of each meaning, plainest first, whose canonical action type is one of `types`. */
export const spellingsOf = (lexicon: Lexicon, types: ValueSet): ReadonlyArray<Spelling> => {
  if ("not" in types && types.not.length === 0) return everyday(lexicon).distinct
  const named = "of" in types ? spell(types.of.map(String), lexicon) : []
  return distinct(
    [...everyday(lexicon).all, ...named].filter(({ words }) => includes(types, words.normalized.type))
  )
}

/** An everyday action of the same class with another canonical action type. */
export const anotherAction = (lexicon: Lexicon, actionClass: string, type: string): string | undefined =>
  everyday(lexicon).all.find(
    ({ words: { normalized } }) => normalized.class === actionClass && normalized.type !== type
  )?.names.actionType
