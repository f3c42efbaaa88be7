/** Data stores, admin words and credentials, in the action type and in the target. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("what names and targets reveal", () => {
  readsAs(`
get                                                  | other.get               | read single
get @ secret/prod/db                                 | other.get               | read single    | data store, credential
get @ vault/api-keys                                 | other.get               | read single    | credential
get @ password policy                                | other.get               | read single
list @ secrets                                       | other.list              | read bulk
delete @ secrets/old                                 | other.delete            | delete open
update @ roles/admin                                 | other.update            | write open     | admin
update @ role/Owner                                  | other.update            | write open     | admin
update @ arn:aws:iam::aws:policy/AdministratorAccess | other.update            | write open     | admin
update @ arn:aws:iam::*:*                            | other.update            | write open     | admin
write @ logs/*.txt                                   | other.write             | write open
grant_role @ *                                       | role.grant              | access single  | admin
grant_role @ cluster-admin                           | role.grant              | access single  | data store, admin
grant_role @ viewer                                  | role.grant              | access single
drop @ orders table                                  | other.drop              | destroy open   | data store
delete @ customers_db                                | other.delete            | delete open    | data store
delete @ table_of_contents.md                        | other.delete            | delete open    | data store
delete @ stables/horse                               | other.delete            | delete open
delete @ backup-2026-01-01                           | other.delete            | delete open    | data store
update @ mfa settings                                | other.update            | write open     | admin
update @ sso                                         | other.update            | write open     | admin
update @ rооt                                        | other.update            | write open     | admin
update @ adm1n                                       | other.update            | write open
update @ administrate                                | other.update            | write open
frobnicate @ passwords.txt                           | frobnicate.unclassified | unknown open   | credential
get_secret                                           | secret.get              | read single    | credential
read_password                                        | password.read           | read single    | credential
reset_password                                       | password.reset          | access open    | credential
rotate_credentials                                   | credentials.rotate      | access bulk    | credential
generate_token                                       | token.generate          | access single  | credential
list_secrets                                         | secrets.list            | read bulk
count_api_keys                                       | api_keys.count          | read open
get_password_policy                                  | password_policy.get     | read single
secret_name.list                                     | secret_name.list        | read bulk
api_key.describe                                     | api_key.describe        | read single
reveal_api_key                                       | api_key.reveal          | read single    | credential
export_private_key                                   | private_key.export      | export bulk    | credential
share_credentials                                    | credentials.share       | export bulk    | credential
update_key_metrics                                   | key_metrics.update      | write single
create_key_result                                    | key_result.create       | access single
owner.update                                         | owner.update            | access single  | admin
make_admin                                           | admin_role.grant        | access single  | admin
god_mode.enable                                      | god_mode.enable         | configure open | admin
drop_bucket                                          | bucket.drop             | destroy open   | data store
snapshot.delete                                      | snapshot.delete         | delete single  | data store
volume.detach                                        | volume.detach           | configure open | data store
database.view                                        | database.view           | read single    | data store
`)
})
