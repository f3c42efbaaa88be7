/** Names in no provider's list, read by their words. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("everyday verbs of agents", () => {
  readsAs(`
delete                      | other.delete                     | delete open
delete_user                 | user.delete                      | delete single
users.delete                | users.delete                     | delete bulk
delete_users                | users.delete                     | delete bulk
delete_all_users            | all_users.delete                 | delete bulk
user.bulk_delete            | user_bulk.delete                 | delete bulk
deleting_users              | users.delete                     | delete bulk
remove_item                 | item.remove                      | delete single
purge_cache                 | cache.purge                      | delete open
truncate_table              | table.truncate                   | delete bulk      | data store
clear_history               | history.clear                    | delete bulk
erase_disk                  | disk.erase                       | delete single    | data store
format_disk                 | disk.format                      | destroy open     | data store
wipe_device                 | device.wipe                      | destroy open
drop_database               | database.drop                    | destroy open     | data store
destroy_environment         | environment.destroy              | destroy open
terminate_instance          | instance.terminate               | destroy open
decommission_host           | host.decommission                | destroy open
factory_reset_device        | device.factoryreset              | destroy open
kill_process                | process.kill                     | destroy open
archive                     | other.archive                    | write open
archive_document            | document.archive                 | write single
archive_permanently         | permanently.archive              | delete single
permanently archive records | permanently_records.archive      | delete bulk
restore_backup              | backup.restore                   | write single     | data store
delete_backups              | backups.destroy                  | destroy bulk     | data store
batch_update_contacts       | batch_contacts.update            | write bulk
mass_email_customers        | mass_customers.email             | communicate bulk
update_every_record         | every_record.update              | write bulk
sync_contacts               | contacts.sync                    | write bulk
sync out                    | out.sync                         | export bulk
data.sync_out               | data_out.sync                    | export bulk
replicate_out               | out.replicate                    | export bulk
mirror_repository           | repository.mirror                | write bulk
export_customers            | customers.export                 | export bulk
customer.export             | customer.export                  | export bulk
download_report             | report.download                  | export open
upload_file                 | file.upload                      | export open
share_folder                | folder.share                     | export open
dump_table                  | table.dump                       | export bulk      | data store
send_email                  | email.send                       | communicate open
send_emails                 | emails.send                      | communicate bulk
notify_user                 | user.notify                      | communicate open
publish_article             | article.publish                  | communicate open
broadcast_message           | message.broadcast                | communicate bulk
tweet                       | other.tweet                      | communicate open
reply_to_review             | review.reply                     | communicate open
sms_customer                | customer.sms                     | communicate open
call_api                    | api.call                         | execute open
pay                         | other.pay                        | transact single
pay_invoice                 | invoice.pay                      | transact single
refund                      | other.refund                     | transact single
refund_customer             | customer.refund                  | transact single
create_payment              | payment.create                   | transact single
create_payments             | payments.create                  | transact bulk
payment.list                | payment.list                     | read bulk
wire_funds                  | funds.wire                       | transact single
payout.create               | payout.create                    | transact single
schedule_payment            | payment.schedule                 | transact single
cancel_payment              | payment.cancel                   | transact single
approve_payment             | payment.approve                  | transact single
send_money                  | money.send                       | transact open
buy_stock                   | stock.buy                        | transact single
purchase_domain             | domain.purchase                  | transact single
donate                      | other.donate                     | transact single
withdraw_funds              | funds.withdraw                   | transact single
book_meeting                | meeting.book                     | write single
book_flight                 | flight.book                      | transact single
reschedule_meeting          | meeting.reschedule               | write single
save_draft                  | draft.save                       | write single
draft_email                 | draft.create                     | write single
label_issue                 | issue.label                      | write single
comment_on_issue            | issue.comment                    | write single
approve_request             | request.approve                  | write single
reject_request              | request.reject                   | write single
close_ticket                | ticket.close                     | write single
reopen_ticket               | ticket.reopen                    | write single
cancel_subscription         | subscription.cancel              | write single
subscribe_user              | user.subscribe                   | write single
fork_repository             | repository.fork                  | write single
clone_repository            | repository.clone                 | write open
rebase_branch               | branch.rebase                    | write open
merge_branch                | branch.deploy                    | deploy single
merge_to_main               | main.merge                       | deploy open
merge                       | other.merge                      | write single
pull_request.merge          | pull_request.merge               | deploy single
deploy                      | other.deploy                     | deploy open
deploy_to_production        | production.deploy                | deploy open
release_version             | version.release                  | deploy open
rollout_restart             | restart.rollout                  | deploy open
roll_back_release           | release.rollback                 | deploy open
rollback                    | other.rollback                   | deploy open
promote_build               | build.release                    | deploy open
install_package             | package.install                  | deploy open
upgrade_cluster             | cluster.upgrade                  | deploy open      | data store
restart_service             | system_service.restart           | configure open
reboot                      | machine.reboot                   | configure open
shutdown                    | machine.shutdown                 | configure open
shut_down_server            | server.shutdown                  | configure open
stop_server                 | server.stop                      | configure open
scale_deployment            | deployment.scale                 | deploy open
scale_up                    | other.upscale                    | configure open
resize_volume               | volume.resize                    | configure open   | data store
migrate_database            | database.migrate                 | configure open   | data store
drain_node                  | node.drain                       | configure open
cordon_node                 | node.cordon                      | configure open
set_config                  | config.set                       | configure open
configure_dns               | dns.configure                    | configure open
update_firewall_rule        | firewall_rule.update             | configure open
disable_logging             | audit_logging.disable            | configure open | a trace goes
enable_feature              | feature.enable                   | configure open
execute_script              | script.execute                   | execute open
eval                        | shell_text.eval                  | execute open
invoke_function             | function.invoke                  | execute open
run_job                     | job.run                          | execute open
trigger_pipeline            | pipeline.trigger                 | execute open
ssh_into_host               | host.ssh                         | execute open
grant_access                | access.grant                     | access single
grant_admin_role            | admin_role.grant                 | access single    | admin
revoke_access               | access.revoke                    | access single
remove_access               | access.revoke                    | access single
remove_user_from_group      | member.revoke                    | access single
assign_role                 | role.assign                      | access single
role.assign                 | role.assign                      | access single
AssignRoleToUser            | role_user.assign                 | access single
invite_user                 | user.invite                      | access single
create_api_key              | api_key.create                   | access single    | credential
rotate_keys                 | keys.rotate                      | access bulk      | credential
attach policy               | policy.attach                    | access single
detach_policy               | policy.detach                    | access single
disable MFA                 | mfa.disable                      | access open      | admin
disable_mfa                 | mfa.disable                      | access open      | admin
DisableMFAForUser           | mfa_user.disable                 | access open      | admin
two_factor.disable          | mfa.disable                      | access open      | admin
reset_password              | password.reset                   | access open      | credential
login                       | other.login                      | access single
log_in                      | other.login                      | access single
sign_up_user                | user.signup                      | access single
suspend_account             | account.suspend                  | access single
unlock_account              | account.unlock                   | access single
impersonate_user            | user.impersonate                 | access single
transfer_ownership          | ownership.transfer               | access single
get_user                    | user.get                         | read single
get_users                   | users.get                        | read open
get_all_users               | all_users.get                    | read bulk
view_settings               | settings.view                    | read single
list_invoices               | invoices.list                    | read bulk
search                      | other.search                     | read bulk
search_customers            | customers.search                 | read bulk
customer.search             | customer.search                  | read open
count_orders                | orders.count                     | read open
describe_table              | table.describe                   | read single      | data store
check_availability          | availability.check               | read single
frobnicate                  | frobnicate.unclassified          | unknown open
frobnicate_users            | frobnicate_users.unclassified    | unknown bulk
customer.frobnicate         | customer_frobnicate.unclassified | unknown open
do_something                | do_something.unclassified        | unknown open
process_data                | data.process                     | write bulk
handle_request              | handle_request.unclassified      | unknown open
force_merge                 | force.merge                      | deploy open
create_policy               | policy.create                    | access single
policy.create               | policy.create                    | access single
create_pipeline_run         | pipeline_run.create              | execute open
create_workflow_run         | workflow_run.create              | execute open
create_job_run              | job_run.create                   | execute open
create_job                  | job.create                       | execute open
executions.create           | executions.create                | execute bulk
create_command              | command.create                   | execute open
create_invocation           | invocation.create                | execute open
create_export_job           | export_job.start                 | export open
create_export_task          | export_task.create               | export open
create_data_transfer        | data_transfer.create             | export bulk
create_file_share           | file_share.create                | export open
create_forwarding_address   | forwarding_address.create        | configure open
update_mx                   | mx.update                        | configure open
add_beneficiary             | beneficiary.add                  | transact single
change_bank_account         | bank_account.change              | transact single
change_payee                | payee.change                     | transact single
process                     | other.unclassified               | unknown open
submit                      | other.unclassified               | unknown open
confirm                     | other.unclassified               | unknown open
self_approve                | other.unclassified               | unknown open
make_it_so                  | other.unclassified               | unknown open
submit_form                 | form.submit                      | communicate open
confirm_order               | order.confirm                    | transact single
extract_data                | data.extract                     | export bulk
extract_text                | text.extract                     | read open
replicate_to                | data.transmit                    | export bulk
replicate_to_partner        | partner.replicateout             | export open
backup_to_external          | external.backup                  | export open      | data store
set_password                | password.set                     | access open      | credential
mint_token                  | token.mint                       | access single    | credential
email_credentials           | credentials.email                | communicate bulk | credential
post_token                  | token.post                       | communicate open | credential
upload_private_key          | private_key.upload               | access open      | credential
log_secret                  | secret.log                       | access single    | credential
backup_secrets              | secrets.backup                   | access bulk      | data store, credential
`)
})
