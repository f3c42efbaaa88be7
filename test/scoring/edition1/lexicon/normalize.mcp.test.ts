/** What MCP servers and agents call their tools, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of MCP tools", () => {
  readsAs(`
read_file                  | file.read                       | read single
filesystem.read_file       | file.read                       | read single
mcp__filesystem__read_file | file.read                       | read single
read_multiple_files        | files.read                      | read bulk
write_file                 | file.write                      | write single
edit_file                  | file.edit                       | write single
create_directory           | directory.create                | write single
list_directory             | directory.list                  | read bulk
move_file                  | file.move                       | write single
search_files               | files.search                    | read bulk
delete_file                | file.delete                     | delete single
get_file_info              | file_info.get                   | read single
execute_command            | command.execute                 | execute open
run_command                | command.run                     | execute open
run_terminal_cmd           | command.run                     | execute open
bash                       | shell_script.bash               | execute open
execute_code               | code.execute                    | execute open
run_python                 | python_code.run                 | execute open
code_interpreter           | code.interpret                  | execute open
run_sql                    | statement.run                   | execute open
execute_sql                | statement.execute               | execute open
run_query                  | statement_query.run             | execute open
read_query                 | rows.query                      | read bulk
write_query                | rows.write                      | write bulk
list_tables                | tables.list                     | read bulk        | data store
describe_table             | table.describe                  | read single      | data store
send_email                 | email.send                      | communicate open
read_email                 | email.read                      | read single
search_emails              | emails.search                   | read bulk
draft_email                | draft.create                    | write single
delete_email               | email.delete                    | delete single
list_events                | calendar_events.list            | read bulk
create_event               | calendar_event.create           | write single
delete_event               | calendar_event.delete           | delete single
web_search                 | web.search                      | read open
web_fetch                  | web_page.fetch                  | read single
browser_navigate           | web_page.navigate               | read single
browser_click              | page_element.click              | execute open
browser_type               | page_field.fill                 | write single
browser_snapshot           | web_page.view                   | read single
browser_evaluate           | javascript_code.eval            | execute open
browser_press_key          | page_key.press                  | execute open
puppeteer_navigate         | web_page.navigate               | read single
playwright.browser_click   | page_element.click              | execute open
create_issue               | issue.create                    | write single
update_issue               | issue.update                    | write single
create_pull_request        | pull_request.create             | write single
merge_pull_request         | pull_request.merge              | deploy single
push_files                 | repository_files.write          | write bulk
create_branch              | branch.create                   | write single
create_or_update_file      | repository_file.write           | write single
get_me                     | authenticated_user.get          | read single
create_page                | page.create                     | write single
append_block_children      | page_content.append             | write bulk
query_database             | database.query                  | read open        | data store
create_ticket              | ticket.create                   | write single
add_comment                | item_comment.add                | write single
upload_file                | file.upload                     | export open
download_file              | file.download                   | export open
share_file                 | file.share                      | export open
send_message               | message.send                    | communicate open
post_message               | channel_message.post            | communicate open
post_tweet                 | public_post.tweet               | communicate open
make_phone_call            | voice_call.dial                 | communicate open
create_payment             | payment.create                  | transact single
create_payment_link        | payment_link.charge             | transact single
create_refund              | refund.create                   | transact single
place_order                | purchase.order                  | transact single
transfer_funds             | funds.transfer                  | transact single
create_api_key             | api_key.create                  | access single    | credential
rotate_api_key             | api_key.rotate                  | access single    | credential
delete_api_key             | api_key.revoke                  | access single
create_user                | user.create                     | write single
delete_user                | user.delete                     | delete single
remove_member              | member.revoke                   | access single
deploy_to_vercel           | web_app.deploy                  | deploy open
apply_migration            | schema_migration.deploy         | deploy open      | data store
restart_service            | system_service.restart          | configure open
update_settings            | settings.update                 | configure open
drop_table                 | table.drop                      | destroy open     | data store
delete_project             | whole_project.destroy           | destroy open
delete_bucket              | bucket.destroy                  | destroy open     | data store
kill_process               | process.kill                    | destroy open
use_mcp_tool               | tool.call                       | execute open
http_request               | api.call                        | execute open
spawn_agent                | agent.spawn                     | execute open
remember                   | memory_entry.save               | write single
save_memory                | memory_entry.save               | write single
generate_image             | image.generate                  | write single
take_screenshot            | screen.screenshot               | read open
think                      | thought.analyze                 | read single
get_weather                | weather.get                     | read single
tools.read_file            | file.read                       | read single
functions.send_email       | email.send                      | communicate open
mcp__stripe__create_refund | refund.create                   | transact single
mcp__unknown__frobnicate   | unknown_frobnicate.unclassified | unknown open
add_mcp_server             | tool_server.connect             | configure open
email.draft.create         | draft.create                    | write single
`)
})
