/** What AWS calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of AWS IAM actions", () => {
  readsAs(`
iam:CreateUser                    | iam_user.create                  | access single
aws:iam:CreateUser                | iam_user.create                  | access single
IAM:CREATEUSER                    | iam_user.create                  | access single
iam.createUser                    | iam_user.create                  | access single
iam:CreateAccessKey               | access_key.create                | access single    | credential
iam:AttachRolePolicy              | role_policy.attach               | access single
iam:PutUserPolicy                 | user_policy.put                  | access single
iam:PassRole                      | role.delegate                    | access single
iam:DeactivateMFADevice           | mfa_device.deactivate            | access open      | admin
iam:DeleteUser                    | iam_user.delete                  | delete single
iam:DeleteUserPolicy              | user_policy.revoke               | access single
iam:ListUsers                     | iam_users.list                   | read bulk
iam:GetUser                       | iam_user.get                     | read single
iam:UpdateAssumeRolePolicy        | role_trust_policy.update         | access single
iam:ListAccessKeys                | access_keys.list                 | read bulk
iam:GetAccountPasswordPolicy      | account_password_policy.get      | read single
sts:AssumeRole                    | role.assume                      | access single
sts:GetSessionToken               | session_token.grant              | access single    | credential
sts:GetCallerIdentity             | caller_identity.get              | read single
s3:GetObject                      | s3_object.get                    | read single      | data store
s3:PutObject                      | s3_object.put                    | write single     | data store
s3:DeleteObject                   | s3_object.delete                 | delete single    | data store
s3:DeleteObjects                  | s3_objects.delete                | delete bulk      | data store
s3:DeleteBucket                   | bucket.destroy                   | destroy open     | data store
s3:ListBucket                     | s3_objects.list                  | read bulk        | data store
s3:PutBucketPolicy                | bucket_policy.put                | access single    | data store
s3:PutObjectAcl                   | object_acl.put                   | access single    | data store
s3:PutBucketReplication           | bucket.export                    | export bulk      | data store
ec2:RunInstances                  | instances.launch                 | execute bulk
ec2:TerminateInstances            | instances.terminate              | destroy bulk
ec2:StopInstances                 | instances.stop                   | configure bulk
ec2:DescribeInstances             | instances.describe               | read open
ec2:AuthorizeSecurityGroupIngress | security_group_ingress.authorize | access single
ec2:DeleteVolume                  | volume.destroy                   | destroy open     | data store
ec2:CreateKeyPair                 | key_pair.create                  | access single    | credential
ec2:ModifySnapshotAttribute       | snapshot_permission.modify       | access single    | data store
rds:DeleteDBInstance              | db_instance.destroy              | destroy open     | data store
rds:DeleteDBCluster               | db_cluster.destroy               | destroy open     | data store
rds:ModifyDBInstance              | db_instance.configure            | configure open   | data store
rds:CreateDBSnapshot              | db_snapshot.create               | write single     | data store
rds:StartExportTask               | db_snapshot.export               | export bulk      | data store
dynamodb:GetItem                  | table_item.get                   | read single      | data store
dynamodb:PutItem                  | table_item.put                   | write single     | data store
dynamodb:DeleteItem               | table_item.delete                | delete single    | data store
dynamodb:DeleteTable              | table.destroy                    | destroy open     | data store
dynamodb:Scan                     | table_items.scan                 | read bulk        | data store
dynamodb:BatchWriteItem           | table_items.write                | write bulk       | data store
lambda:InvokeFunction             | lambda_function.invoke           | execute open
lambda:UpdateFunctionCode         | lambda_code.deploy               | deploy open
lambda:DeleteFunction             | lambda_function.delete           | delete single
lambda:AddPermission              | function_permission.add          | access single
kms:ScheduleKeyDeletion           | kms_key.destroy                  | destroy open
kms:Decrypt                       | ciphertext.decrypt               | read single      | credential
kms:CreateGrant                   | kms_grant.create                 | access single
secretsmanager:GetSecretValue     | secret_value.get                 | read single      | credential
secretsmanager:ListSecrets        | secrets.list                     | read bulk
secretsmanager:RotateSecret       | secret.rotate                    | access single    | credential
ssm:SendCommand                   | instance_command.run             | execute bulk
ssm:GetParameter                  | parameter.get                    | read single      | credential
cloudformation:DeleteStack        | stack.destroy                    | destroy open
cloudformation:UpdateStack        | stack_update.deploy              | deploy open
cloudtrail:StopLogging            | trail.disable                    | configure open | a trace goes
guardduty:DeleteDetector          | threat_detector.disable          | configure open | a trace goes
route53:ChangeResourceRecordSets  | dns_records.configure            | configure bulk
sns:Publish                       | topic_message.publish            | communicate open
sqs:PurgeQueue                    | queue.purge                      | delete bulk
sqs:SendMessage                   | queue_message.write              | write single
ses:SendEmail                     | ses_email.send                   | communicate open
ecs:UpdateService                 | ecs_service.deploy               | deploy open
eks:DeleteCluster                 | eks_cluster.destroy              | destroy open     | data store
logs:DeleteLogGroup               | log_group.delete                 | delete bulk | a protection goes
organizations:CloseAccount        | organization_account.destroy     | destroy open
savingsplans:CreateSavingsPlan    | savings_plan.purchase            | transact single
aws:iam:FrobnicateUser            | iam_frobnicate_user.unclassified | unknown open
iam:UpdateGroup                   | iam_group.update                 | access single
quicksight:DeleteDashboard        | quicksight_dashboard.delete      | delete single
glue:GetDatabases                 | glue_databases.get               | read open        | data store
s3_delete_bucket                  | bucket.destroy                   | destroy open     | data store
aws_iam_create_user               | iam_user.create                  | access single
aws.s3.get_object                 | s3_object.get                    | read single      | data store
iam:*                             | iam_all.unclassified             | unknown bulk     | admin
account:CloseAccount              | organization_account.destroy     | destroy open
s3.sync                           | s3_files.export                  | export bulk      | data store
`)
})
