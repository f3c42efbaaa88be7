/** Names in which a word is not what it looks like. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("words that are nouns here and verbs there", () => {
  readsAs(`
post.read                 | post.read                     | read single
blog_post.read            | blog_post.read                | read single
blog_post.publish         | blog_post.publish             | communicate open
get_post                  | post.get                      | read single
get_and_post_message      | message.post                  | communicate open
mailing_list.delete       | mailing_list.delete           | delete open
mailing_list.view         | mailing_list.view             | read single
release.list              | release.list                  | read bulk
list_releases             | releases.list                 | read bulk
releases.list             | releases.list                 | read bulk
release_notes.update      | release_notes.update          | write single
tag.create                | tag.create                    | write single
share.list                | share.list                    | read bulk
share_report              | report.share                  | export open
read_and_share_link       | link.share                    | export open
share_link.create         | share_link.create             | export open
export_list               | list.export                   | export bulk
export_job.cancel         | export_job.cancel             | write single
order.get                 | order.get                     | read single
order.list                | order.list                    | read bulk
search_and_order_item     | search_item.order             | transact single
order_item.search         | order_item.search             | read open
transfer.list             | transfer.list                 | read bulk
get_transfer              | transfer.get                  | read single
create_transfer           | transfer.create               | transact single
email.delete              | email.delete                  | delete single
email.archive             | email.archive                 | write single
email_archive             | archive.email                 | communicate open
read_and_email_customers  | customers.email               | communicate bulk
get_deleted_users         | deleted_users.get             | read open
list_terminated_employees | terminated_employees.list     | read bulk
update_settings           | settings.update               | configure open
set                       | other.set                     | configure open
test_run.view             | test_run.view                 | read single
run_tests                 | tests.run                     | execute bulk
query_run                 | query.run                     | execute open
run_query                 | statement_query.run           | execute open
key.create                | key.create                    | access single    | credential
create_key_result         | key_result.create             | access single
access_log.read           | access_log.read               | read single
access_log.delete         | access_log.delete             | delete single | a trace goes
invoice.send              | invoice.send                  | communicate open
read_replica.delete       | read_replica.delete           | delete single    | data store
subscribe                 | other.subscribe               | write single
unsubscribe               | other.unsubscribe             | write single
undelete_user             | user.undelete                 | write single
uninstall_app             | app.uninstall                 | destroy open
unpublish                 | other.unpublish               | configure open
disable_user              | user.disable                  | access open
enable_user               | user.enable                   | access open
disable_feature_flag      | feature_flag.disable          | configure open
charge.list               | charge.list                   | read bulk
charges.list              | charges.list                  | read bulk
charge_customer           | customer.charge               | transact single
dropdown.list             | dropdown.list                 | read bulk
drop_down.list            | drop_down.list                | read bulk
dropdown.delete           | dropdown.delete               | delete single
listing.create            | listing.create                | write single
executive.update          | executive.update              | write single
killer_app.view           | killer_app.view               | read single
deployment.list           | deployment.list               | read bulk
exporter.view             | exporter.view                 | read single
runner.list               | runner.list                   | read bulk
paypal_account.view       | account.view                  | read single
rooftop.update            | rooftop.update                | write single
sender.view               | sender.view                   | read single
emailer_config.read       | emailer_config.read           | read single
writer.get                | writer.get                    | read single
grants.list               | grants.list                   | read bulk
policy.list               | policy.list                   | read bulk
password_policy.view      | password_policy.view          | read single
roles.list                | roles.list                    | read bulk
admin_panel.view          | admin_panel.view              | read single      | admin
deletion_request.create   | deletion_request.create       | delete single
user.deletion             | user_deletion.unclassified    | unknown open
delete_other              | other.delete                  | delete open
other.delete              | other.delete                  | delete open
unclassified              | other.unclassified            | unknown open
deploy_or_view            | view.deploy                   | deploy open
list_then_export_contacts | list_contacts.export          | export bulk
view_or_purge_logs        | view_logs.purge               | delete bulk
get_and_delete_user       | user.delete                   | delete single
sudo rm                   | other.remove                  | delete open      | admin
github.delete             | github.delete                 | delete open
roles.delete              | roles.delete                  | delete bulk
view_role_delete          | view_role.delete              | delete single
customer.blocked          | customer_blocked.unclassified | unknown open
get_rid_of_database       | database.destroy              | destroy open     | data store
get_rid_of_all_users      | all_users.remove              | delete bulk
validate_and_submit       | other.unclassified            | unknown open
please submit             | other.unclassified            | unknown open
backup.list               | backup.list                   | read bulk        | data store
execution_log.get         | execution_log.get             | read single
filter_branches           | branches.filter               | read bulk
create_job_posting        | job_posting.create            | write single
policy.get                | policy.get                    | read single
AcceptBash                | some_bash.accept              | execute open
fs_push_access            | access.push                   | communicate open
git push origin main -f   | origin_main_f.push            | delete open
`)
})
