/** What identity, sales, support, payment and delivery services call actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of other applications", () => {
  readsAs(`
okta.users.create                  | okta_user.create            | access single
okta.users.deactivate              | okta_user.deactivate        | access open
okta.users.resetPassword           | okta_password.reset         | access open      | credential
okta.users.resetFactors            | okta_mfa.reset              | access single    | admin
okta.users.list                    | okta_users.list             | read bulk
okta.users.delete                  | okta_user.delete            | delete single
okta.groups.addUser                | okta_group_member.add       | access single
okta.groups.removeUser             | okta_group_member.revoke    | access single
okta.apps.assignUser               | okta_app_user.assign        | access single
okta.tokens.create                 | okta_token.create           | access single    | credential
okta.policies.update               | sign_on_policy.update       | access single    | admin
okta.logs.list                     | system_log.list             | read bulk
auth0.clients.rotateSecret         | oauth_client_secret.rotate  | access single    | credential
auth0.users.export                 | okta_users.export           | export bulk
hubspot.contacts.create            | contact.create              | write single
hubspot.contacts.update            | contact.update              | write single
hubspot.contacts.delete            | contact.delete              | delete single
hubspot.contacts.gdprDelete        | contact.erase               | delete single
hubspot.contacts.search            | contacts.search             | read bulk
hubspot.deals.update               | deal.update                 | write single
hubspot.emails.send                | single_email.send           | communicate open
hubspot.marketing.emails.send      | marketing_email.send        | communicate bulk
hubspot.exports.create             | crm_records.export          | export bulk
hubspot.workflows.enable           | crm_workflow.enable         | configure open
hubspot.lists.addContacts          | contact_list_members.add    | write bulk
twilio.messages.create             | sms_message.send            | communicate open
twilio.calls.create                | voice_call.dial             | communicate open
twilio.messages.list               | sms_messages.list           | read bulk
twilio.incomingPhoneNumbers.create | phone_number.purchase       | transact single
twilio.recordings.delete           | recording.delete            | delete single
sendgrid.mail.send                 | sendgrid_email.send         | communicate open
jira.createIssue                   | issue.create                | write single
jira.transitionIssue               | issue.transition            | write single
jira.addComment                    | issue_comment.add           | write single
jira.deleteIssue                   | issue.delete                | delete single
jira.deleteProject                 | project_space.destroy       | destroy open
jira.search                        | issues.search               | read bulk
confluence.createPage              | page.create                 | write single
linear.create_issue                | issue.create                | write single
notion.pages.create                | page.create                 | write single
notion.databases.query             | database_pages.query        | read bulk        | data store
notion.blocks.delete               | page_block.delete           | delete single
zendesk.tickets.create             | ticket.create               | write single
zendesk.tickets.reply              | ticket.reply                | communicate open
zendesk.tickets.delete             | ticket.delete               | delete single
zendesk.tickets.addInternalNote    | internal_note.add           | write single
intercom.conversations.reply       | conversation.reply          | communicate open
paypal.payments.refund             | payment.refund              | transact single
paypal.payouts.create              | payout.create               | transact single
wise.transfers.fund                | transfer.fund               | transact single
plaid.transactions.get             | bank_transactions.list      | read bulk
shopify.orders.create              | order.create                | transact single
shopify.products.update            | product.update              | write single
quickbooks.bills.pay               | bill_payment.pay            | transact single
coinbase.transactions.send         | crypto_transaction.transfer | transact single
alpaca.orders.submit_market        | market_order.trade          | transact single
gusto.payroll.run                  | gusto_payroll.run           | execute open
pagerduty.incidents.acknowledge    | incident.acknowledge        | write single
pagerduty.incidents.trigger        | incident.alert              | communicate open
datadog.monitors.mute              | monitor.disable             | configure open | a protection goes
vercel.deploy                      | web_app.deploy              | deploy open
heroku.apps.destroy                | app_environment.destroy     | destroy open
heroku.config:set                  | app_config.set              | configure open
launchdarkly.flags.toggle          | feature_flag.toggle         | configure open
cloudflare.dns_records.delete      | dns_record.delete           | delete single
gitlab.merge_requests.merge        | merge_request.merge         | deploy single
jenkins.job.build                  | ci_build.run                | execute open
okta.factor.reset                  | okta_factor.revoke          | access single    | admin
vault.read                         | vault_secret_value.get      | read single      | credential
vault.kv.get                       | vault_secret_value.get      | read single      | credential
`)
})
