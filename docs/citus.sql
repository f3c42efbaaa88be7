-- How the tables are distributed by organization with Citus, on an empty, migrated schema, as the owner, on the coordinator.
-- docs/operations.md, "Past one database", says what stands in the way. The statements run on Citus, and the service
-- does not yet; a test holds them against the schema: every table is named once, and every unique index of a distributed table begins with its key.

-- Citus keeps triggers of distributed tables only with this. The comments name the tables that have some.
SET citus.enable_unsafe_triggers = on;

-- Every server has a copy: the tables are small, are read for every request, and are written by people.
SELECT create_reference_table('control.organizations');
SELECT create_reference_table('control.api_keys');
SELECT create_reference_table('control.console_sessions');
SELECT create_reference_table('control.console_links');
SELECT create_reference_table('control.pepper_checks');

-- Stays on the coordinator: control.migrations, because only `action-risk migrate` reads it.
-- Stays on the coordinator: control.rate_limits, because it is unlogged, and counts addresses and keys, which belong to no shard.
-- Stays on the coordinator: live.facet_factors, because it numbers the codes of factors for all organizations with a smallint identity.
-- Stays on the coordinator: test.facet_factors, because it numbers the codes of factors for all organizations with a smallint identity.

-- All rows of an organization are on one shard, so that a transaction of one organization is one server's.
SELECT create_distributed_table('live.assessments', 'organization_id', colocate_with => 'none'); -- triggers: never_change, only_erased
SELECT create_distributed_table('live.agent_paces', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.baseline_revisions', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.erasures', 'organization_id', colocate_with => 'live.assessments'); -- triggers: never_change
SELECT create_distributed_table('live.facets', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.facets_made', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.history', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.idempotency_keys', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.name_tallies', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.outcome_events', 'organization_id', colocate_with => 'live.assessments'); -- triggers: never_change, only_erased
SELECT create_distributed_table('live.outcome_seals', 'organization_id', colocate_with => 'live.assessments'); -- triggers: never_change
SELECT create_distributed_table('live.outcome_sums', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.reviews', 'organization_id', colocate_with => 'live.assessments'); -- triggers: closed_whole
SELECT create_distributed_table('live.search_spans', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.search_texts', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.seals', 'organization_id', colocate_with => 'live.assessments'); -- triggers: never_change
SELECT create_distributed_table('live.sightings', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.sums', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.tallies', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.unit_figures', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.units', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.unsealed', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.verifications', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.webhook_answers', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.webhook_deliveries', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.webhook_endpoints', 'organization_id', colocate_with => 'live.assessments');
SELECT create_distributed_table('live.webhook_events', 'organization_id', colocate_with => 'live.assessments');

-- All rows of an organization are on one shard, so that a transaction of one organization is one server's.
SELECT create_distributed_table('test.assessments', 'organization_id', colocate_with => 'none'); -- triggers: never_change, only_erased
SELECT create_distributed_table('test.agent_paces', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.baseline_revisions', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.erasures', 'organization_id', colocate_with => 'test.assessments'); -- triggers: never_change
SELECT create_distributed_table('test.facets', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.facets_made', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.history', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.idempotency_keys', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.name_tallies', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.outcome_events', 'organization_id', colocate_with => 'test.assessments'); -- triggers: never_change, only_erased
SELECT create_distributed_table('test.outcome_seals', 'organization_id', colocate_with => 'test.assessments'); -- triggers: never_change
SELECT create_distributed_table('test.outcome_sums', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.reviews', 'organization_id', colocate_with => 'test.assessments'); -- triggers: closed_whole
SELECT create_distributed_table('test.search_spans', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.search_texts', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.seals', 'organization_id', colocate_with => 'test.assessments'); -- triggers: never_change
SELECT create_distributed_table('test.sightings', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.sums', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.tallies', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.unit_figures', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.units', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.unsealed', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.verifications', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.webhook_answers', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.webhook_deliveries', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.webhook_endpoints', 'organization_id', colocate_with => 'test.assessments');
SELECT create_distributed_table('test.webhook_events', 'organization_id', colocate_with => 'test.assessments');
