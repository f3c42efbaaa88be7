-- Reviews of assessments, and outcome events reported by callers: what happened, and what people thought, after an opinion.

-- A row is the review of an assessment that is at level high or critical or incomplete, and has its id. `closed_by_name` is the name of the
-- key at that time, because modes cannot read keys. `reminded`: a reminder about the open review was sent, which happens once.
CREATE TABLE {schema}.reviews (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  opened_at timestamptz NOT NULL,
  outcome text,
  note text,
  closed_at timestamptz,
  closed_by uuid,
  closed_by_name text,
  reminded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX reviews_open ON {schema}.reviews (organization_id, assessment_id) WHERE closed_at IS NULL;
CREATE INDEX reviews_closed ON {schema}.reviews (organization_id, assessment_id) WHERE closed_at IS NOT NULL;
CREATE INDEX reviews_unreminded ON {schema}.reviews (opened_at) WHERE closed_at IS NULL AND NOT reminded;
CREATE INDEX reviews_rejected ON {schema}.reviews (organization_id, assessment_id) WHERE outcome = 'risk_rejected';
-- Opening a review sets none of the closing columns, so only an update has to check these.
GRANT SELECT, INSERT (organization_id, assessment_id, opened_at), UPDATE ON {schema}.reviews TO {role};

CREATE FUNCTION {schema}.refuse_half_closed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'a review is closed whole: with its outcome and its time' USING ERRCODE = 'check_violation';
  END
$$;
CREATE TRIGGER closed_whole BEFORE UPDATE ON {schema}.reviews FOR EACH ROW
  WHEN (NOT (
    (NEW.outcome IS NULL) = (NEW.closed_at IS NULL) AND (NEW.note IS NULL OR NEW.outcome IS NOT NULL)
    AND (NEW.closed_by IS NULL OR NEW.closed_at IS NOT NULL) AND (NEW.closed_by_name IS NULL OR NEW.closed_by IS NOT NULL)
    AND (NEW.outcome IS NULL
      OR NEW.outcome IN ('acknowledged', 'risk_accepted', 'risk_rejected', 'false_positive', 'escalated'))
  )) EXECUTE FUNCTION {schema}.refuse_half_closed();

-- A row is an outcome event, which never changes. `document` is the event as returned, and the bytes covered by its seal. `entities` and
-- `usd_cents` are the observed figures, scored as if they had been stated.
CREATE TABLE {schema}.outcome_events (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('person_agreed', 'person_declined', 'person_absent', 'executed', 'failed', 'not_executed',
    'reverted', 'incident', 'near_miss')),
  independent boolean NOT NULL,
  entities bigint,
  usd_cents bigint,
  document bytea NOT NULL,
  salt bytea NOT NULL CHECK (octet_length(salt) = 16),
  request_id text NOT NULL,
  reported_by uuid NOT NULL,
  request_digest bytea NOT NULL CHECK (octet_length(request_digest) = 32),
  idempotency_key text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, assessment_id, event_id),
  CHECK ((entities IS NULL) = (usd_cents IS NULL))
);
-- An idempotency key belongs to one assessment and one API key, so no reporter can use up another's key or get the answer stored under it.
CREATE UNIQUE INDEX outcome_events_by_key
  ON {schema}.outcome_events (organization_id, assessment_id, reported_by, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE TRIGGER never_change BEFORE UPDATE OR TRUNCATE ON {schema}.outcome_events
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();

CREATE FUNCTION {schema}.erase_from_outcome_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM {schema}.erasures AS erased
      WHERE erased.organization_id = OLD.organization_id AND erased.assessment_id = OLD.assessment_id
    ) THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'rows of % are evidence: only what is erased on record goes', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END
$$;
CREATE TRIGGER only_erased BEFORE DELETE ON {schema}.outcome_events
  FOR EACH ROW EXECUTE FUNCTION {schema}.erase_from_outcome_events();

-- A row is the entry of an outcome event in a chain, written with the event. It remains when the event is erased with its assessment: the
-- salt is deleted, after which the leaf reveals nothing.
CREATE TABLE {schema}.outcome_seals (
  organization_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 1),
  assessment_id uuid NOT NULL,
  event_id uuid NOT NULL,
  leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
  previous_digest bytea NOT NULL CHECK (octet_length(previous_digest) = 32),
  entry_digest bytea NOT NULL CHECK (octet_length(entry_digest) = 32),
  PRIMARY KEY (organization_id, sequence),
  UNIQUE (organization_id, event_id)
);
CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.outcome_seals
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_change();

-- Each statement on events and their seals concerns the organization named by its transaction, and sees no rows of others.
ALTER TABLE {schema}.outcome_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON {schema}.outcome_events
  USING (organization_id = nullif(current_setting('action_risk.organization', true), '')::uuid);
ALTER TABLE {schema}.outcome_seals ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON {schema}.outcome_seals
  USING (organization_id = nullif(current_setting('action_risk.organization', true), '')::uuid);
GRANT SELECT, INSERT ON {schema}.outcome_events, {schema}.outcome_seals TO {role};
