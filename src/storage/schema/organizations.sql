-- Organizations, their keys and sign-ins, and the counts of rate limits. They are in `control`, which both modes share. Secrets are never
-- stored, only their keyed hashes (32 bytes).

GRANT SELECT ON control.migrations TO action_risk_control;

-- A row is a customer of the service. Only its policy set changes.
CREATE TABLE control.organizations (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  policy_set text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE (policy_set) ON control.organizations TO action_risk_control;

-- A row is an API key for one mode. A key made by a console link has the name for which the link was made.
CREATE TABLE control.api_keys (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES control.organizations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  name text,
  key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  environments text[] CHECK (cardinality(environments) > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_by_organization ON control.api_keys (organization_id, created_at);
GRANT SELECT, INSERT, UPDATE (revoked_at) ON control.api_keys TO action_risk_control;

-- A row is the check value by which a process recognizes a pepper of this database at startup.
CREATE TABLE control.pepper_checks (
  check_value bytea PRIMARY KEY CHECK (octet_length(check_value) = 32),
  first_used_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON control.pepper_checks TO action_risk_control;

-- A row is a session in the console. It can do what its key can, as long as the key is valid.
CREATE TABLE control.console_sessions (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  key_id uuid NOT NULL REFERENCES control.api_keys,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON control.console_sessions TO action_risk_control;

-- A row is an unused link with which a person signs in to the console.
CREATE TABLE control.console_links (
  link_hash bytea PRIMARY KEY CHECK (octet_length(link_hash) = 32),
  organization_id uuid NOT NULL REFERENCES control.organizations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  name text,
  expires_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE ON control.console_links TO action_risk_control;

-- A row counts the requests of a key or an address in a window. Unlogged: after a server crash, the counts start again.
CREATE UNLOGGED TABLE control.rate_limits (
  window_ms bigint NOT NULL,
  subject text NOT NULL,
  requests int NOT NULL,
  PRIMARY KEY (window_ms, subject)
);
GRANT SELECT, INSERT, UPDATE (requests), DELETE ON control.rate_limits TO action_risk_control;
