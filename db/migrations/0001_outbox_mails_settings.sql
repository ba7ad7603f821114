-- What the plumbing keeps: what happened and is yet to be told, mail on its way, settings, the audit trail.

create table outbox (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  payload jsonb not null,
  at timestamptz not null,
  -- The reactions that have run already, so that a second round does only what is left.
  done text[] not null default '{}',
  handled_at timestamptz
);
create index outbox_untold on outbox (xid, id) where handled_at is null;
create index outbox_handled on outbox (handled_at) where handled_at is not null;

-- A reaction that failed waits here apart, so that it never holds up another. Without next_at it is for a person.
create table outbox_failures (
  outbox_id bigint not null references outbox (id) on delete cascade,
  reaction text not null,
  attempts integer not null default 1,
  next_at timestamptz,
  error text not null,
  failed_at timestamptz not null,
  primary key (outbox_id, reaction)
);
create index outbox_failures_due on outbox_failures (next_at) where next_at is not null;

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_latest on mails (created_at desc, id desc);
create index mails_by_recipient on mails (lower(recipient), created_at desc);

create table settings (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid
);

create table audit_events (
  id uuid primary key,
  at timestamptz not null,
  actor_id uuid,
  act text not null,
  object_kind text not null,
  object_id text not null,
  reason text,
  details jsonb not null default '{}'
);
create index audit_events_latest on audit_events (at desc, id desc);
create index audit_events_of_object on audit_events (object_kind, object_id, at desc);
