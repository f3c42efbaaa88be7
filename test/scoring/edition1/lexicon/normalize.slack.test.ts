/** What Slack calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of Slack's API", () => {
  readsAs(`
slack.chat.postMessage                | channel_message.post              | communicate open
slack:chat.postMessage                | channel_message.post              | communicate open
slack.chat.update                     | posted_message.post               | communicate open
slack.chat.delete                     | channel_message.delete            | delete single
chat.postMessage                      | chat_message.post                 | communicate open
slack.post_message                    | channel_message.post              | communicate open
slack_post_message                    | channel_message.post              | communicate open
slack.conversations.list              | channels.list                     | read bulk
slack.conversations.history           | channel_messages.list             | read bulk
slack.conversations.create            | channel.create                    | write single
slack.conversations.archive           | channel.archive                   | write single
slack.conversations.invite            | channel_member.invite             | access single
slack.conversations.kick              | channel_member.kick               | access single
slack.conversations.inviteShared      | external_member.invite            | access single
slack.conversations.setTopic          | channel_topic.update              | write single
slack.conversations.delete            | channel.delete                    | delete single
slack.users.list                      | workspace_users.list              | read bulk
slack.users.info                      | workspace_user.get                | read single
slack.users.lookupByEmail             | workspace_user.lookup             | read single
slack.reactions.add                   | message_reaction.add              | write single
slack.pins.add                        | message_pin.add                   | write single
slack.files.upload                    | shared_file.post                  | communicate open
slack.files.delete                    | shared_file.delete                | delete single
slack.files.sharedPublicURL           | file_public_link.share            | export open
slack.search.messages                 | messages.search                   | read bulk
slack.reminders.add                   | reminder.remind                   | communicate open
slack.usergroups.create               | user_group.create                 | write single
slack.admin.users.invite              | workspace_member.invite           | access single    | admin
slack.admin.users.remove              | workspace_member.revoke           | access single    | admin
slack.admin.users.setAdmin            | workspace_admin.promote           | access single    | admin
slack.admin.users.setOwner            | workspace_owner.promote           | access single    | admin
slack.admin.users.session.reset       | user_session.revoke               | access single    | admin
slack.admin.apps.approve              | workspace_app.authorize           | access single    | admin
slack.admin.conversations.bulkDelete  | channels_by_admin.delete          | delete bulk      | admin
slack.auth.revoke                     | token.revoke                      | access single
slack.auth.test                       | credential_owner.get              | read single      | admin
slack.oauth.v2.access                 | oauth_token.grant                 | access single    | credential
slack.views.open                      | dialog.open                       | write single
slack.canvases.edit                   | canvas.edit                       | write single
slack.discovery.conversations.history | all_channel_messages.export       | export bulk
slack.workflows.frobnicate            | workflows_frobnicate.unclassified | unknown bulk
slack.message.delete                  | message.delete                    | delete single
`)
})
