-- What those who look after the place, or a group, say to everybody in it: once a day at most.
create table announcements (
  id uuid primary key,
  -- Null: for the whole community.
  group_id uuid references groups (id) on delete cascade,
  title text not null check (char_length(title) between 3 and 120),
  body_md text not null,
  body_html text not null,
  by_id uuid not null references people (id),
  made_at timestamptz not null,
  taken_back_at timestamptz,
  taken_back_by uuid references people (id)
);
create index announcements_latest on announcements (group_id, made_at desc, id desc);

-- A moment as the clock of a person shows it. A zone that this server does not know is taken for UTC: one odd name must
-- not keep others from being told.
create function shown_by_clock(at timestamptz, zone text) returns timestamp language plpgsql stable as $$
begin
  return at at time zone zone;
exception when invalid_parameter_value then
  return at at time zone 'UTC';
end $$;
create function moment_of_clock(shown timestamp, zone text) returns timestamptz language plpgsql stable as $$
begin
  return shown at time zone zone;
exception when invalid_parameter_value then
  return shown at time zone 'UTC';
end $$;

-- The first moment from `at` on that is not within somebody's quiet hours. Nights begin on these days (1 is Monday).
create function after_quiet(at timestamptz, zone text, quiet_from time, quiet_to time, quiet_days smallint[])
returns timestamptz language sql stable as $$
  select coalesce(
    (select moment_of_clock(day + quiet_to + case when quiet_to < quiet_from then interval '1 day' else interval '0' end, zone)
     from shown_by_clock(at, zone) shown,
       lateral (select shown::date::timestamp as day union all select shown::date::timestamp - interval '1 day') days
     where quiet_from is not null and extract(isodow from day)::smallint = any(quiet_days)
       and shown >= day + quiet_from
       and shown < day + quiet_to + case when quiet_to < quiet_from then interval '1 day' else interval '0' end
     limit 1),
    at)
$$;
