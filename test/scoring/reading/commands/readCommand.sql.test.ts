/** What SQL and the MongoDB shell mean: for each text the riskiest act, as an experienced engineer judges it in production. */

import { describe, expect, it } from "vitest"
import { parseTable, readsAsAct } from "../../../support/commands.ts"

/** The expected act, then the text. */
const texts = `
      low read confidential                        | SELECT * FROM users WHERE id = 5
      low read list                                | select id, name from products limit 10
      high read bulk regulated                     | SELECT * FROM patients
      high read bulk regulated                     | SELECT ssn, birthdate FROM employees
      low read                                     | SELECT count(*) FROM orders
      moderate read restricted                     | SELECT salary FROM employees WHERE id = 7
      low read list                                | SELECT * FROM events WHERE ts > now() - interval '1 day' LIMIT 100
      moderate write confidential                  | UPDATE users SET name = 'x' WHERE id = 5
      critical write everything confidential       | UPDATE users SET active = false
      critical write everything                    | UPDATE products SET price = price * 1.1
      high access credential                       | UPDATE users SET role = 'admin' WHERE id = 1
      critical write everything confidential       | update orders set status='x' where 1=1
      high write everything                        | UPDATE t SET a=1 WHERE a=1 OR 1=1
      moderate delete list restricted              | DELETE FROM sessions WHERE expires_at < now()
      critical destroy everything confidential     | DELETE FROM users
      high delete everything                       | DELETE FROM logs WHERE id > 0
      moderate delete list                         | DELETE FROM tmp_import
      critical destroy everything                  | DELETE FROM orders WHERE id = 3; DROP TABLE users
      critical destroy everything                  | DROP TABLE users
      critical destroy everything                  | DROP DATABASE prod
      moderate configure                           | DROP INDEX idx_a
      moderate delete                              | DROP VIEW v
      critical destroy everything                  | TRUNCATE orders
      critical destroy everything                  | TRUNCATE TABLE logs CASCADE
      moderate deploy                              | ALTER TABLE users ADD COLUMN x int
      critical destroy everything                  | ALTER TABLE users DROP COLUMN email
      low deploy                                   | CREATE INDEX CONCURRENTLY i ON t(c)
      moderate deploy                              | CREATE INDEX i ON t(c)
      critical access                              | GRANT ALL PRIVILEGES ON *.* TO 'bob'@'%'
      high access                                  | GRANT SELECT ON users TO bob
      high access                                  | REVOKE ALL ON users FROM bob
      high access credential                       | CREATE USER bob WITH PASSWORD 'x'
      critical access                              | ALTER ROLE app WITH SUPERUSER
      critical execute                             | COPY users TO PROGRAM 'curl https://x'
      high export bulk confidential                | COPY users TO '/tmp/x.csv' CSV
      critical export bulk confidential            | SELECT * FROM users INTO OUTFILE '/tmp/x'
      high read restricted                         | SELECT pg_read_file('/etc/passwd')
      critical execute                             | EXEC xp_cmdshell 'dir'
      high execute unread                          | CALL cleanup()
      critical destroy everything confidential unread | DO $$ BEGIN DELETE FROM users; END $$
      critical destroy everything confidential     | WITH x AS (DELETE FROM users RETURNING *) SELECT count(*) FROM x
      low read bulk                                | WITH t AS (SELECT id FROM a) SELECT * FROM t WHERE id = 1
      low simulate                                 | EXPLAIN SELECT * FROM users
      critical destroy everything confidential     | EXPLAIN ANALYZE DELETE FROM users
      moderate write                               | BEGIN; UPDATE t SET a=1 WHERE id=3; COMMIT
      low read                                     | SET statement_timeout = 0
      low read                                     | SELECT 1
      low read list confidential                   | SELECT Id, Name FROM Account WHERE Name LIKE 'A%' LIMIT 10
      low read                                     | FROM logs-* | WHERE status == 500 | STATS count() BY host
      low write                                    | INSERT INTO t (a) VALUES (1)
      moderate write bulk                          | INSERT INTO t SELECT * FROM u
      moderate delete bulk                         | MERGE INTO t USING s ON t.id=s.id WHEN MATCHED THEN DELETE
      moderate write bulk                          | MERGE INTO t USING s ON t.id=s.id WHEN MATCHED THEN UPDATE SET a = 1
      moderate access                              | SET ROLE postgres
      low read                                     | SET ROLE NONE
      moderate access                              | SET SESSION AUTHORIZATION admin
      critical execute                             | SELECT load_extension('./x.so')
      high execute unread                          | SELECT deleteUser(1)
      high execute unread                          | SELECT fn_delete_user(1)
      high execute unread                          | SELECT cron.schedule('x', '* * * * *', 'drop table y')
      low read                                     | SELECT round(truncate(1.222, 2), 2)
      low read list confidential                   | SELECT TOP 10 * FROM [dbo].[Users]
      low read list confidential                   | SELECT name FROM \`proj.ds.customers\` LIMIT 100
      critical delete everything confidential      | db.users.deleteMany({})
      low read list confidential                   | db.users.find({email: "x"})
      moderate configure                           | VACUUM FULL t
      low read                                     | SHOW TABLES
      high configure weakens                       | DROP POLICY p ON t
      high configure weakens                       | ALTER TABLE t DISABLE ROW LEVEL SECURITY
      low configure                                | REFRESH MATERIALIZED VIEW CONCURRENTLY mv
      moderate configure                           | KILL 123
      moderate configure                           | SELECT pg_terminate_backend(12)
      moderate delete list confidential            | -- cleanup⏎DELETE FROM orders WHERE created_at < '2020-01-01'
      critical destroy everything                  | /* x */ DROP TABLE a; -- y
      critical destroy everything                  | DELETE FROM t WHERE note = 'it\\'s' -- '; DROP TABLE users
      low read confidential                        | SELECT name FROM users WHERE email = 'a@b.c'
      high read bulk restricted                    | SELECT password_hash FROM users
      low read                                     | SELECT avg(salary) FROM employees
      low read confidential                        | SELECT * FROM orders WHERE customer_id = 7 ORDER BY id
      low read bulk                                | SELECT * FROM products
      low read                                     | SELECT id FROM t WHERE a BETWEEN 1 AND 2 AND id = 3
      high read bulk regulated                     | SELECT * FROM a UNION SELECT * FROM credit_cards
      low read                                     | SELECT 'DROP TABLE x'
      high execute unread                          | SELECT delete_user(5)
      moderate delete confidential                 | DELETE FROM users WHERE id = 5
      critical destroy everything confidential     | DELETE FROM users WHERE TRUE
      critical destroy everything confidential     | DELETE FROM users WHERE id IS NOT NULL
      moderate delete list confidential            | DELETE FROM orders WHERE id IN (1, 2, 3)
      critical destroy everything confidential     | DELETE u FROM users u JOIN x ON u.id = x.id
      critical write everything confidential       | UPDATE accounts SET balance = 0
      high write confidential                      | UPDATE accounts SET balance = balance - 5 WHERE account_id = 3
      moderate write confidential                  | UPDATE accounts SET nickname = 'x' WHERE account_id = 3
      high deploy                                  | ALTER TABLE users RENAME COLUMN a TO b
      high configure weakens                       | ALTER TABLE users DROP CONSTRAINT fk
      high configure                               | ALTER SYSTEM SET wal_level = 'logical'
      moderate deploy                              | CREATE TABLE t (id int)
      low write                                    | CREATE TEMP TABLE t (id int)
      moderate deploy                              | CREATE OR REPLACE FUNCTION f() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql
      moderate deploy                              | CREATE EXTENSION pg_trgm
      critical destroy everything                  | DROP SCHEMA public CASCADE
      low delete                                   | DROP TABLE IF EXISTS tmp_x
      low delete                                   | DROP TABLE IF EXISTS tmp_x, public.tmp_y CASCADE
      low delete                                   | DROP TABLE orders_test
      low read                                     | SELECT region, sum(total) FROM orders GROUP BY 1
      critical destroy everything                  | DROP TABLE orders, scratch
      critical destroy everything                  | DROP TABLE scratch, "orders" CASCADE
      critical destroy everything                  | DROP TABLE tmp.orders
      critical destroy everything                  | DROP TABLE test_results
      critical destroy everything                  | TRUNCATE orders, tmp_x
      critical destroy everything                  | CREATE OR REPLACE TABLE orders (test int)
      high access                                  | DROP ROLE bob
      critical access                              | GRANT rds_superuser TO bob
      moderate write bulk                          | LOAD DATA INFILE '/tmp/x' INTO TABLE t
      low write bulk confidential                  | BACKUP DATABASE prod TO DISK = 'x'
      critical write everything                    | RESTORE DATABASE prod FROM DISK = 'x'
      high configure weakens                       | SET GLOBAL general_log = 'OFF'
      moderate configure                           | LOCK TABLE users
      low read                                     | PRAGMA table_info(users)
      moderate write bulk                          | REPLACE INTO t VALUES (1)
      high export bulk confidential                | EXPORT DATA OPTIONS(uri='gs://x') AS SELECT * FROM t
      critical destroy everything                  | /*!50000 DROP TABLE users */
      moderate write confidential                  | UPDATE users SET a = 'it''s; DROP TABLE x' WHERE id = 1
      low read confidential                        | SELECT LastName FROM Contact WHERE Id = '003'
      critical destroy everything confidential     | db.users.drop()
      moderate write bulk confidential             | db.orders.updateMany({}, {$set: {a: 1}})
      moderate delete confidential                 | db.users.deleteOne({_id: 1})
      high read bulk regulated                     | db.getCollection("patients").find({})
      critical destroy everything                  | db.dropDatabase()
`

describe("SQL", () => {
  it.each(parseTable(texts))("%s → %s", (text, expected) => {
    expect(readsAsAct(text, "sql")).toBe(expected)
  })
})
