/** What Salesforce calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of Salesforce's API", () => {
  readsAs(`
salesforce.query                          | record.query                   | read bulk
salesforce.search                         | record.search                  | read bulk
salesforce.describe                       | object.describe                | read single
salesforce.create                         | record.create                  | write single
salesforce.update                         | crm_records.update             | write open
salesforce.upsert                         | crm_records.upsert             | write open
salesforce.delete                         | crm_records.delete             | delete open
salesforce.undelete                       | record.undelete                | write open
salesforce.merge                          | records.merge                  | write bulk
salesforce.account.get                    | account.get                    | read single
salesforce.account.update                 | account.update                 | write single
salesforce.contact.create                 | contact.create                 | write single
salesforce.contact.delete                 | contact.delete                 | delete single
salesforce.opportunity.update             | opportunity.update             | write single
salesforce.lead.convert                   | lead.convert                   | write single
salesforce.convertLead                    | lead.convert                   | write single
salesforce.case.close                     | case.close                     | write single
salesforce.sendEmail                      | salesforce_email.send          | communicate open
salesforce.massEmail                      | mass_email.send                | communicate bulk
salesforce.executeAnonymous               | apex_code.execute              | execute open
salesforce.flow.run                       | process_flow.run               | execute open
salesforce.resetPassword                  | user_password.reset            | access open      | credential
salesforce.setPassword                    | user_password.set              | access open      | credential
salesforce.user.deactivate                | user_login.deactivate          | access open
salesforce.permissionSetAssignment.create | permission_set.assign          | access single
salesforce.assignPermissionSet            | permission_set.assign          | access single
salesforce.changeOwner                    | record_owner.delegate          | access single
salesforce.deploy                         | metadata.deploy                | deploy open
salesforce.dataExport.create              | org_data.export                | export bulk
salesforce.bulk.query                     | bulk_records.export            | export bulk
salesforce.bulk.hardDelete                | bulk_records.purge             | delete bulk
salesforce.bulk.update                    | bulk_records.update            | write bulk
salesforce.emptyRecycleBin                | recycle_bin.empty              | delete bulk
salesforce.customObject.delete            | custom_object.destroy          | destroy open     | data store
salesforce.customField.delete             | custom_field.destroy           | destroy open     | data store
salesforce.validationRule.disable         | validation_rule.disable        | configure open
salesforce.report.run                     | analytics_report.get           | read open
salesforce.chatter.post                   | feed_item.create               | write single
sfdc.contact.update                       | contact.update                 | write single
salesforce.contacts.delete                | contacts.delete                | delete bulk
salesforce.contact.export                 | contact.export                 | export bulk
salesforce.loginAs                        | user_session.impersonate       | access single
salesforce.record.frobnicate              | record_frobnicate.unclassified | unknown open
`)
})
