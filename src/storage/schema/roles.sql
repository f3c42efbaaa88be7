-- A schema and the role that can use it, for control, live and test. No role has a grant on another's schema.

-- Roles belong to the whole cluster, so another database of this service may have created them or be creating them now.
DO $$
  BEGIN
    CREATE ROLE {role} NOLOGIN;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
  END
$$;

-- The owner logs in and then takes the role. Having created or administering a role is not sufficient for that.
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
