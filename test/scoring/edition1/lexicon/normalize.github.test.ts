/** What GitHub calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of GitHub's API and of its MCP server", () => {
  readsAs(`
github.issues.create                           | issue.create                    | write single
github:issues.create                           | issue.create                    | write single
github.create_issue                            | issue.create                    | write single
mcp__github__create_issue                      | issue.create                    | write single
mcp.github.create_issue                        | issue.create                    | write single
github.issues.get                              | issue.get                       | read single
github.issues.list                             | issues.list                     | read bulk
github.issues.update                           | issue.update                    | write single
github.issues.addLabels                        | issue_labels.add                | write single
github.issues.createComment                    | issue_comment.create            | write single
github.issues.deleteComment                    | issue_comment.delete            | delete single
github.pulls.create                            | pull_request.create             | write single
github.pulls.merge                             | pull_request.merge              | deploy single
github.merge_pull_request                      | pull_request.merge              | deploy single
github.pulls.list                              | pull_requests.list              | read bulk
github.pulls.createReview                      | pull_request_review.create      | write single
github.repos.get                               | repository.get                  | read single
github.repos.delete                            | repository.destroy              | destroy open
github.delete_repository                       | repository.destroy              | destroy open
gh.repo.delete                                 | repository.destroy              | destroy open
github.repos.createRelease                     | release.create                  | deploy open
github.repos.listReleases                      | releases.list                   | read bulk
github.release.list                            | release.list                    | read bulk
github.repos.createWebhook                     | repository_webhook.connect      | configure open
github.repos.addCollaborator                   | collaborator.add                | access single
github.repos.removeCollaborator                | collaborator.revoke             | access single
github.repos.updateBranchProtection            | branch_protection.authorize     | access single
github.repos.deleteBranchProtection            | branch_protection.revoke        | access single
github.repos.createDeployKey                   | deploy_key.create               | access single  | credential
github.repos.updateVisibility                  | repository_visibility.configure | configure open
github.repos.archive                           | repository.freeze               | configure open
github.repos.transfer                          | repository_ownership.delegate   | access single
github.repos.createOrUpdateFileContents        | repository_file.write           | write single
github.create_or_update_file                   | repository_file.write           | write single
github.push_files                              | repository_files.write          | write bulk
github.git.updateRef                           | git_reference.update            | write single
github.git.deleteRef                           | git_reference.delete            | delete single
github.actions.createWorkflowDispatch          | workflow.dispatch               | execute open
github.actions.createOrUpdateRepoSecret        | repository_secret.update        | access single  | credential
github.actions.deleteRepoSecret                | repository_secret.delete        | delete single
github.actions.listRepoSecrets                 | repository_secrets.list         | read bulk
github.actions.cancelWorkflowRun               | workflow_run.cancel             | write single
github.actions.downloadArtifact                | build_artifact.download         | export open
github.secretScanning.listAlertsForRepo        | leaked_secrets.list             | read bulk      | credential
github.orgs.removeMember                       | organization_member.revoke      | access single
github.orgs.delete                             | organization.destroy            | destroy open
github.teams.addOrUpdateMembershipForUserInOrg | team_membership.update          | access single
github.search.code                             | code.search                     | read open
github.search_repositories                     | repositories.search             | read bulk
github.fork_repository                         | repository.fork                 | write single
github.gists.create                            | gist.create                     | write single
github.pr.merge                                | pull_request.merge              | deploy single
github.issue.close                             | issue.close                     | write single
github.run.rerun                               | workflow.rerun                  | execute open
github.add_issue_comment                       | issue_comment.add               | write single
github.frobnicate                              | frobnicate.unclassified         | unknown open
github.branch.delete                           | branch.delete                   | delete single
github.merge                                   | pull_request.merge              | deploy single
update_branch_protection                       | branch_protection.update        | access single
repos.updateBranchProtection                   | repos_branch_protection.update  | access bulk
pulls.merge                                    | pulls.merge                     | deploy bulk
repos.merge                                    | repos.merge                     | deploy bulk
repos.createWebhook                            | repos_webhook.create            | configure bulk
`)
})
