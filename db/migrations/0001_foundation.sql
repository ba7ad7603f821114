-- Foundations: settings, outbox, bus, jobs, audit log.

create function instant_to_local_time(at timestamp with time zone, zone text)
 returns timestamp without time zone
 language plpgsql
 stable
as $$
begin
  return at at time zone zone;
exception when invalid_parameter_value then
  return at at time zone 'UTC';
end $$;

create function local_time_to_instant(shown timestamp without time zone, zone text)
 returns timestamp with time zone
 language plpgsql
 stable
as $$
begin
  return shown at time zone zone;
exception when invalid_parameter_value then
  return shown at time zone 'UTC';
end $$;

create function end_of_quiet_hours(at timestamp with time zone, zone text, quiet_from time without time zone, quiet_to time without time zone, quiet_days smallint[])
 returns timestamp with time zone
 language sql
 stable
as $$
  select coalesce(
    (select local_time_to_instant(day + quiet_to + case when quiet_to < quiet_from then interval '1 day' else interval '0' end, zone)
     from instant_to_local_time(at, zone) shown,
       lateral (select shown::date::timestamp as day union all select shown::date::timestamp - interval '1 day') days
     where quiet_from is not null and extract(isodow from day)::smallint = any(quiet_days)
       and shown >= day + quiet_from
       and shown < day + quiet_to + case when quiet_to < quiet_from then interval '1 day' else interval '0' end
     limit 1),
    at)
$$;

create function number_as_text(n numeric)
 returns text
 language sql
 immutable parallel safe strict
as $$
  select case when n = trunc(n) and abs(n) <= 9007199254740991 then trunc(n)::text
    else trim_scale(round(n, (14 - floor(log(abs(n))))::integer))::text end
$$;

create function assert_text_limit(it text, most integer)
 returns text
 language plpgsql
 immutable parallel safe strict
as $$
begin
  if octet_length(it) > most and char_length(it) > most then
    raise exception 'a text has more than % characters', most using errcode = '22001';
  end if;
  return it;
end $$;

create function assert_value(it anyelement, of_column text)
 returns anyelement
 language plpgsql
 immutable parallel safe
as $$
begin
  if it is null then
    raise exception 'the column % needs a value', of_column using errcode = '23502', column = of_column;
  end if;
  return it;
end $$;

create function assert_bytes_limit(bytes bigint, most bigint)
 returns boolean
 language plpgsql
 immutable parallel safe
as $$
begin
  if bytes > most then
    raise exception 'a row has more than % bytes', most using errcode = '54KTH';
  end if;
  return true;
end $$;

create table outbox (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  payload jsonb not null,
  at timestamptz not null,
  done text[] not null default '{}',
  handled_at timestamptz
);
create index outbox_pending on outbox (xid, id) where (handled_at is null);
create index outbox_handled on outbox (handled_at) where (handled_at is not null);
comment on table outbox is 'Domain events, written in the transaction of the command.';
comment on column outbox.xid is 'Transaction that wrote the row: rows are read below the oldest running one.';
comment on column outbox.payload is 'Ids and enumerated values, never text of a person.';
comment on column outbox.done is 'Handlers that have run.';
comment on column outbox.handled_at is 'When all handlers had run.';

create table outbox_failures (
  outbox_id bigint references outbox (id) on delete cascade,
  reaction text,
  attempts integer not null default 1,
  next_at timestamptz,
  error text not null,
  failed_at timestamptz not null,
  primary key (outbox_id, reaction)
);
create index outbox_failures_due on outbox_failures (next_at) where (next_at is not null);
comment on table outbox_failures is 'Handlers that failed and are retried.';
comment on column outbox_failures.next_at is 'Null: given up, waits for an admin.';

create unlogged table bus_payloads (
  id uuid primary key,
  content text not null,
  at timestamptz not null default clock_timestamp()
);
create index bus_payloads_at on bus_payloads (at);
comment on table bus_payloads is 'Messages between processes that are too long for NOTIFY.';

create table worker_heartbeats (
  id text primary key,
  seen_at timestamptz not null
);
comment on table worker_heartbeats is 'Worker pools and when each was last alive.';

create table settings (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid
);
comment on table settings is 'Site settings that differ from their defaults.';

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
create index audit_events_in_group on audit_events (((details ->> 'groupId')), at desc)
  where (details ? 'groupId');
create index audit_events_of_actor on audit_events (actor_id, at desc, id desc);
comment on table audit_events is 'Audit log of staff and group moderators.';
comment on column audit_events.actor_id is 'Null: automatic.';
