/** The same words in other letters, and letters that make no word. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("spellings", () => {
  readsAs(`
delete_user       | user.delete            | delete single
DELETE_USER       | user.delete            | delete single
Delete_User       | user.delete            | delete single
delete-user       | user.delete            | delete single
delete user       | user.delete            | delete single
delete.user       | user.delete            | delete single
delete:user       | user.delete            | delete single
delete/user       | user.delete            | delete single
deleteUser        | user.delete            | delete single
DeleteUser        | user.delete            | delete single
dElEtE_user       | user.delete            | delete single
user.delete       | user.delete            | delete single
user/delete       | user.delete            | delete single
userDelete        | user.delete            | delete single
dеlete_user       | user.delete            | delete single
ｄｅｌｅｔｅ＿ｕｓｅｒ       | user.delete            | delete single
d​elete_user      | user.delete            | delete single
dele­te_user      | user.delete            | delete single
délete_user       | user.delete            | delete single
DÉLETE_USER       | user.delete            | delete single
𝐝𝐞𝐥𝐞𝐭𝐞_user | user.delete            | delete single
ⓓⓔⓛⓔⓣⓔ_user       | user.delete            | delete single
delete．user       | user.delete            | delete single
deleteAPIKeys     | api_keys.delete        | delete bulk
getEC2Instance    | ec2_instance.get       | read single
listUserIDs       | user_ids.list          | read bulk
createOAuthClient | oauth_client.create    | access single
getS3Object       | s3_object.get          | read single   | data store
ExportCSV         | csv.export             | export bulk
删除用户              | x0c747874.unclassified | unknown open
получить          | xed28ce6f.unclassified | unknown open
get 用户            | xc4ec0f60.get          | read single
delete用户          | xc4ec0f60.delete       | delete single
get删除             | xea8d5381.get          | read single
🗑️ user          | user.unclassified      | unknown open
*                 | all.unclassified       | unknown bulk  | admin
iam:*             | iam_all.unclassified   | unknown bulk  | admin
users.*           | users_all.unclassified | unknown bulk
POST /v1/refunds  | refunds.post           | transact bulk
GET /users/123    | users_123.get          | read open
DELETE /users/123 | users_123.delete       | delete bulk
PATCH /users/123  | users_123.patch        | write bulk
PUT /orders/7     | orders_7.put           | transact bulk
v1.users.get      | users.get              | read open
tools.call        | tools.call             | execute bulk
`)
})
