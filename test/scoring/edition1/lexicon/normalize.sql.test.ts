/** SQL statements as action types, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("SQL statements", () => {
  readsAs(`
sql.select                          | rows.select                         | read bulk
SELECT                              | other.select                        | read bulk
sql.insert                          | row.insert                          | write open
sql.update                          | rows.update                         | write bulk
sql.delete                          | rows.delete                         | delete bulk
sql.drop_table                      | table.drop                          | destroy open     | data store
sql.dropTable                       | table.drop                          | destroy open     | data store
SQL.DROP_TABLE                      | table.drop                          | destroy open     | data store
DROP TABLE                          | table.drop                          | destroy open     | data store
drop_table                          | table.drop                          | destroy open     | data store
DROP DATABASE                       | database.drop                       | destroy open     | data store
sql.drop_index                      | table_index.remove                  | delete single    | data store
sql.drop_view                       | view.remove                         | delete single
sql.truncate                        | table.truncate                      | delete bulk      | data store
truncate_table                      | table.truncate                      | delete bulk      | data store
TRUNCATE TABLE                      | table.truncate                      | delete bulk      | data store
DELETE FROM                         | other.delete                        | delete open
DELETE FROM users                   | users.delete                        | delete bulk
UPDATE users SET email              | update_users_set.email              | communicate bulk
INSERT INTO orders                  | orders.insert                       | transact bulk
SELECT * FROM customers             | all_customers.select                | read bulk        | admin
CREATE TABLE                        | table.create                        | write single     | data store
sql.create_index                    | table_index.create                  | write single     | data store
sql.create_user                     | database_user.create                | access single    | data store, credential
sql.alter_table                     | table_definition.alter              | configure open   | data store
ALTER TABLE users DROP COLUMN email | table_users_drop_column_email.alter | destroy bulk     | data store
sql.grant                           | privilege.grant                     | access open
GRANT ALL PRIVILEGES                | all_privileges.grant                | access bulk
sql.revoke                          | privilege.revoke                    | access open
REVOKE SELECT                       | other.revoke                        | access single
sql.copy_to                         | rows.export                         | export bulk
sql.copy                            | rows.transmit                       | export bulk
sql.dump                            | database.dump                       | export bulk      | data store
sql.execute                         | prepared_statement.execute          | execute open
sql.call                            | stored_procedure.call               | execute open
EXEC xp_cmdshell                    | xp_cmdshell.exec                    | execute open
sql.run_query                       | statement_query.run                 | execute open
sql.kill                            | database_connection.disconnect      | configure open   | data store
sql.alter_system                    | server_settings.alter               | configure open
sql.set_password                    | database_password.set               | access open      | data store, credential
sql.backup_database                 | database_backup.dump                | export bulk      | data store
sql.vacuum                          | table.vacuum                        | configure open   | data store
sql.describe_table                  | table.describe                      | read single      | data store
sql.list_tables                     | tables.list                         | read bulk        | data store
sql.explain                         | query_plan.explain                  | read single
MERGE INTO inventory                | inventory.merge                     | write bulk
CALL refund_customer                | refund_customer.call                | execute open
postgres.query                      | rows.query                          | read bulk        | data store
postgresql.drop_schema              | schema.drop                         | destroy open     | data store
mysql.mysqldump                     | database.dump                       | export bulk      | data store
database.drop                       | database.drop                       | destroy open     | data store
database.query                      | database.query                      | read open        | data store
database.delete                     | database.destroy                    | destroy open     | data store
table.drop                          | table.drop                          | destroy open     | data store
row.delete                          | row.delete                          | delete single
rows.delete                         | rows.delete                         | delete bulk
db.migrate                          | db.migrate                          | configure open   | data store
SELECT * FROM users INTO OUTFILE '/tmp/x' | all_users_outfile_tmp_x.select      | export bulk      | admin
COPY users TO '/tmp/x'              | users_tmp_x.copy                    | export bulk
COPY users TO STDOUT                | users_stdout.copy                   | export bulk
`)
})
