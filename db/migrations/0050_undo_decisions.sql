-- Decisions of a case: resources are returned to their owners for changes like posts, and all decisions about
-- content and its author can be undone for an hour.

alter table cases add column state_before jsonb;
create index cases_with_state_before on cases (resolved_at) where (state_before is not null);
comment on column cases.state_before is
  'What the latest decision changed, as it was before, for the undo. Deleted when it can no longer be undone.';

update audit_events set act = 'case.decision_undone',
  details = details - 'removedAt' || jsonb_build_object('decidedAt', details -> 'removedAt')
where act = 'case.removal_undone';

alter table resources add column returned_at timestamptz;
comment on column resources.returned_at is
  'When a moderator asked for changes. The resource is hidden until a moderator has reviewed the changes.';
create unique index pending_posts_of_returned_resource on pending_posts (resource_id)
  where (resource_id is not null and said->'resource' is not null);
comment on column pending_posts.resource_id is
  'Resource that a comment is for; with fields of a resource, the hidden resource whose owner was asked for changes.';
