-- Outgoing webhooks: addresses that are called about domain events, and the log of these calls.

create table webhooks (
  id uuid primary key,
  group_id uuid references groups (id) on delete cascade,
  owner_id uuid not null references people (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  url text not null check (char_length(url) <= 2000),
  events text[] not null check (cardinality(events) between 1 and 50),
  group_ids uuid[] not null default '{}' check (cardinality(group_ids) <= 20),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  paused_reason text check (paused_reason in ('person', 'failures', 'gone', 'rights')),
  failures integer not null default 0,
  retry_at timestamptz,
  succeeded_at timestamptz,
  claimed_at timestamptz,
  check ((paused_at is null) = (paused_reason is null)),
  check ((previous_secret is null) = (previous_until is null))
);
create index webhooks_of_group on webhooks (group_id);
create index webhooks_of_owner on webhooks (owner_id);
comment on table webhooks is 'Addresses that are called about domain events, as their owner may see them.';
comment on column webhooks.group_id is 'Group whose events are sent; null: events of the whole site.';
comment on column webhooks.owner_id is
  'Person with whose rights the content is read: who saved the webhook last.';
comment on column webhooks.group_ids is 'Filter of a webhook of the site; empty: all groups.';
comment on column webhooks.tags is
  'Filter: discussions and resources with one of these tags; empty: everything.';
comment on column webhooks.secret is 'Signing key, sealed.';
comment on column webhooks.previous_secret is
  'Signing key before the last rotation, sealed; signs as well until previous_until.';
comment on column webhooks.failures is 'Failed calls since the last successful one.';
comment on column webhooks.retry_at is 'No call before this time, after several failures.';
comment on column webhooks.claimed_at is
  'Time at which calls were last claimed, so that webhooks take turns.';

create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  outbox_id bigint,
  event text not null,
  object_id text not null,
  change jsonb not null,
  actor_id uuid,
  place_id uuid,
  happened_at timestamptz not null,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cut')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  locked_until timestamptz,
  tried_at timestamptz,
  first_tried_at timestamptz,
  duration integer,
  status integer,
  error text,
  request_body text,
  response_body text,
  viewed_by uuid,
  unique (webhook_id, outbox_id, event)
);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_at) where (state = 'pending');
create index webhook_deliveries_order on webhook_deliveries (webhook_id, object_id, outbox_id)
  where (state = 'pending');
create index webhook_deliveries_log on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_recent on webhook_deliveries (webhook_id, place_id, actor_id, created_at);
create index webhook_deliveries_age on webhook_deliveries (created_at);
comment on table webhook_deliveries is 'Calls of webhooks: pending ones, and the log of the last 30 days.';
comment on column webhook_deliveries.id is 'Id of the message, the same for all attempts.';
comment on column webhook_deliveries.outbox_id is 'Domain event; null for a test or one that was sent again.';
comment on column webhook_deliveries.change is
  'Entity, kind of change and ids, from which the content is read when it is sent.';
comment on column webhook_deliveries.place_id is 'Group of the event, to recognise loops.';
comment on column webhook_deliveries.locked_until is
  'A process is sending it until then; after that its process has died.';
comment on column webhook_deliveries.duration is 'Milliseconds of the last attempt.';
comment on column webhook_deliveries.request_body is 'Beginning of the last request.';
comment on column webhook_deliveries.viewed_by is
  'Person as whom the request was read; the bodies are shown to them only.';
