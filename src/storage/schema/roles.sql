-- A schema and the role that can use it, for control, live and test. No role has a grant on the schema of another.

-- Roles belong to the whole cluster: another database of this service may have made them, or make them at this moment.
DO $$
  BEGIN
    CREATE ROLE {role} NOLOGIN;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
  END
$$;

-- The owner logs in and then takes the role. To have created a role, or to administer it, is not enough for that.
DO $$
  BEGIN
    EXECUTE format('GRANT {role} TO %I', current_user);
  EXCEPTION
    WHEN insufficient_privilege THEN
      IF NOT pg_has_role('{role}', 'MEMBER') THEN RAISE; END IF;
  END
$$;

CREATE SCHEMA IF NOT EXISTS {schema};
REVOKE ALL ON SCHEMA {schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA {schema} TO {role};
