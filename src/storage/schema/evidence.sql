-- The evidence chain: seals, the erasures that may follow, and the last verifications. Digests are SHA-256.

-- Guards rows that never change.
CREATE FUNCTION {schema}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'rows of % are evidence and never change', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END
$$;

-- A row is an assessment that waits for its seal.
CREATE TABLE {schema}.unsealed (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  PRIMARY KEY (organization_id, assessment_id)
);
GRANT SELECT, INSERT, DELETE ON {schema}.unsealed TO {role};

-- A row is the entry of an assessment in its organization's chain. Separate from the assessment, so that sealing updates no row and the
-- entry outlives an erased assessment.
CREATE TABLE {schema}.seals (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 1),
  input_leaf bytea NOT NULL CHECK (octet_length(input_leaf) = 32),
  result_leaf bytea NOT NULL CHECK (octet_length(result_leaf) = 32),
  snapshot_leaf bytea NOT NULL CHECK (octet_length(snapshot_leaf) = 32),
  previous_digest bytea NOT NULL CHECK (octet_length(previous_digest) = 32),
  entry_digest bytea NOT NULL CHECK (octet_length(entry_digest) = 32),
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, assessment_id),
  UNIQUE (organization_id, sequence)
);
CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.seals
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();
GRANT SELECT, INSERT ON {schema}.seals TO {role};

-- A row records that an assessment was erased. Together with its seal it contains everything from which the chain entry is computed. The
-- signature is Ed25519 over `erasureText`, the key is SubjectPublicKeyInfo. Only the owner of the schema can erase.
CREATE TABLE {schema}.erasures (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  rules_digest bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
  policy_digest bytea NOT NULL CHECK (octet_length(policy_digest) = 32),
  erased_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('request', 'retention')),
  public_key bytea NOT NULL,
  signature bytea NOT NULL CHECK (octet_length(signature) = 64),
  PRIMARY KEY (organization_id, assessment_id)
);
CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.erasures
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();
GRANT SELECT ON {schema}.erasures TO {role};

-- A row is the last verification of a whole chain or of a part of it. It proves nothing: anyone who can rewrite a chain can also write
-- here.
CREATE TABLE {schema}.verifications (
  organization_id uuid NOT NULL,
  whole boolean NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  problem text,
  verified_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, whole)
);
GRANT SELECT, INSERT, UPDATE ON {schema}.verifications TO {role};
