/** What other clouds and offices call actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of Google Cloud, Azure, Google Workspace and Microsoft 365", () => {
  readsAs(`
gcp.compute.instances.delete                            | vm_instance.destroy         | destroy open
compute.instances.delete                                | vm_instance.destroy         | destroy open
compute.instances.list                                  | vm_instances.list           | read bulk
compute.instances.stop                                  | vm_instance.stop            | configure open
storage.objects.get                                     | gcs_object.get              | read single      | data store
storage.objects.delete                                  | gcs_object.delete           | delete single    | data store
storage.buckets.delete                                  | gcs_bucket.destroy          | destroy open     | data store
storage.buckets.setIamPolicy                            | gcs_bucket_policy.set       | access open      | data store
bigquery.tables.delete                                  | bigquery_table.destroy      | destroy open     | data store
bigquery.tables.getData                                 | bigquery_rows.get           | read open        | data store
bigquery.jobs.create                                    | bigquery_job.run            | execute open     | data store
resourcemanager.projects.delete                         | gcp_project.destroy         | destroy open     | data store
resourcemanager.projects.setIamPolicy                   | project_policy.set          | access open
iam.serviceAccountKeys.create                           | service_account_key.create  | access single    | credential
iam.serviceAccounts.actAs                               | service_account.impersonate | access single
secretmanager.versions.access                           | secret_version.get          | read single      | credential
cloudkms.cryptoKeyVersions.destroy                      | crypto_key.destroy          | destroy open
cloudsql.instances.delete                               | sql_instance.destroy        | destroy open     | data store
cloudsql.instances.export                               | sql_instance.export         | export bulk
container.clusters.delete                               | gke_cluster.destroy         | destroy open     | data store
gcloud run deploy                                       | run_service.deploy          | deploy open
gcp.frobnicate                                          | frobnicate.unclassified     | unknown open
Microsoft.Compute/virtualMachines/delete                | virtual_machine.destroy     | destroy open
Microsoft.Compute/virtualMachines/read                  | virtual_machine.read        | read single
Microsoft.Compute/virtualMachines/start/action          | virtual_machine.start       | configure open
Microsoft.Compute/virtualMachines/runCommand/action     | virtual_machine_command.run | execute open
Microsoft.Authorization/roleAssignments/write           | role_assignment.write       | access single
Microsoft.Authorization/roleAssignments/delete          | role_assignment.revoke      | access single
Microsoft.Authorization/elevateAccess/action            | tenant_access.elevate       | access single    | admin
Microsoft.Authorization/locks/delete                    | resource_lock.unlock        | access single
Microsoft.Storage/storageAccounts/delete                | storage_account.destroy     | destroy open     | data store
Microsoft.Storage/storageAccounts/listKeys/action       | storage_account_keys.get    | read open        | data store, credential
Microsoft.KeyVault/vaults/secrets/getSecret/action      | vault_secret.get            | read single      | credential
Microsoft.Resources/subscriptions/resourceGroups/delete | resource_group.destroy      | destroy open     | data store
Microsoft.Resources/deployments/write                   | template.deploy             | deploy open
azure.vm.delete                                         | virtual_machine.destroy     | destroy open
az vm stop                                              | virtual_machine.stop        | configure open
az group delete                                         | resource_group.destroy      | destroy open     | data store
az keyvault secret show                                 | vault_secret.show           | read single      | credential
az role assignment create                               | role_assignment.write       | access single
az webapp deploy                                        | web_app.deploy              | deploy open
azure.widgets.delete                                    | widgets.delete              | delete bulk
google.gmail.users.messages.send                        | gmail_message.send          | communicate open
gmail.users.messages.send                               | gmail_message.send          | communicate open
gmail.users.messages.list                               | gmail_messages.list         | read bulk
gmail.users.messages.trash                              | gmail_message.trash         | delete single
gmail.users.messages.batchDelete                        | gmail_messages.delete       | delete bulk
gmail.send                                              | gmail_message.send          | communicate open
calendar.events.insert                                  | calendar_event.create       | write single
calendar.events.delete                                  | calendar_event.delete       | delete single
drive.files.list                                        | drive_files.list            | read bulk
drive.files.delete                                      | drive_file.delete           | delete single
drive.files.emptyTrash                                  | drive_trash.empty           | delete bulk
drive.permissions.create                                | drive_permission.create     | access single
sheets.spreadsheets.values.update                       | spreadsheet_values.update   | write bulk
admin.directory.users.delete                            | directory_user.delete       | delete single
admin.directory.users.makeAdmin                         | directory_admin.promote     | access single    | admin
outlook.sendMail                                        | mailbox_message.send        | communicate open
graph.users.create                                      | directory_user.invite       | access single
graph.messages.list                                     | mailbox_messages.list       | read bulk
sharepoint.files.share                                  | drive_file.share            | export open
gcloud.projects.delete                                  | cloud_project.destroy       | destroy open     | data store
gcp.projects.delete                                     | cloud_project.destroy       | destroy open     | data store
azure.resourceGroups.delete                             | resource_group.destroy      | destroy open     | data store
AccessSecretVersion                                     | secret_version.get          | read single      | credential
bigquery.extract                                        | bigquery.extract            | export open      | data store
`)
})
