-- Notifications, announcements, digests and push to browsers.

create table notifications (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  kind text not null,
  object_kind text not null check (object_kind in ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement', 'report', 'search')),
  object_id uuid not null,
  reason text not null,
  detail text not null default '',
  actors uuid[] not null default '{}',
  count integer not null default 1 check (count > 0),
  latest_id uuid,
  items uuid[] not null default '{}',
  shown boolean not null default true,
  filtered boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  seen_at timestamptz,
  read_at timestamptz,
  withdrawn_at timestamptz,
  mail_at timestamptz,
  mailed_at timestamptz,
  mailed_before timestamptz,
  push_at timestamptz,
  pushed_at timestamptz,
  stored_name text,
  words text not null default '',
  moment timestamptz,
  check ((not filtered) or ((mail_at is null) and (push_at is null)))
);
create unique index notifications_open on notifications (person_id, object_id, kind, filtered)
  where ((read_at is null) and (withdrawn_at is null));
create index notifications_of_person on notifications (person_id, updated_at desc, id desc)
  where (withdrawn_at is null);
create index notifications_unread on notifications (person_id, updated_at desc, id desc)
  where ((read_at is null) and (withdrawn_at is null) and shown and (not filtered));
create index notifications_of_object on notifications (object_id, person_id);
create index notifications_to_mail on notifications (mail_at)
  where ((mail_at is not null) and (mailed_at is null) and (read_at is null) and (withdrawn_at is null));
create index notifications_to_push on notifications (push_at)
  where ((push_at is not null) and (pushed_at is null) and (read_at is null) and (withdrawn_at is null));
create index notifications_age on notifications (updated_at);
create index notifications_by_person on notifications (person_id);
comment on table notifications is 'Notifications, one per person, kind and object while unread.';
comment on column notifications.items is 'Ids already counted.';
comment on column notifications.withdrawn_at is 'No longer visible to the person.';
comment on column notifications.mail_at is 'When it is mailed, unless read before.';
comment on column notifications.push_at is 'When it is pushed.';

create table notification_settings (
  person_id uuid primary key references people (id) on delete cascade,
  quiet_from time without time zone,
  quiet_to time without time zone,
  quiet_days smallint[] not null default '{1,2,3,4,5,6,7}',
  paused_until timestamptz,
  digest_every text not null default 'week' check (digest_every in ('never', 'day', 'week', 'month')),
  digest_day smallint not null default 1 check (digest_day between 1 and 7),
  digest_sent_at timestamptz,
  strangers_apart boolean not null default false,
  newcomers_apart boolean not null default false,
  check ((quiet_from is null) = (quiet_to is null)),
  constraint notification_settings_check1 check (quiet_from <> quiet_to)
);
comment on table notification_settings is 'Quiet hours, pauses and digests of people.';

create table notification_choices (
  person_id uuid references people (id) on delete cascade,
  kind text,
  shown boolean not null,
  mailed boolean not null,
  pushed boolean not null,
  primary key (person_id, kind)
);
comment on table notification_choices is 'Channels chosen for each kind.';

create table notification_senders (
  person_id uuid references people (id) on delete cascade,
  sender_id uuid references people (id) on delete cascade,
  accepted_at timestamptz not null,
  check (person_id <> sender_id),
  primary key (person_id, sender_id)
);
create index notification_senders_of on notification_senders (sender_id);
comment on table notification_senders is 'Strangers whose notifications somebody accepted.';

create table announcements (
  id uuid primary key,
  group_id uuid references groups (id) on delete cascade,
  title text not null check (char_length(title) between 3 and 120),
  body_md text not null,
  body_html text not null,
  by_id uuid not null references people (id),
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawn_by uuid references people (id)
);
create index announcements_latest on announcements (group_id, created_at desc, id desc);
create index announcements_by_author on announcements (by_id);
create index announcements_withdrawn_by on announcements (withdrawn_by) where (withdrawn_by is not null);
comment on table announcements is 'Announcements to a group or to everybody.';

create table digests (
  person_id uuid references people (id) on delete cascade,
  period text check (char_length(period) <= 20),
  created_at timestamptz not null,
  mailed boolean not null,
  primary key (person_id, period)
);
create index digests_age on digests (created_at);
comment on table digests is 'Digests made, so that none is made twice.';

create table push_subscriptions (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null check (char_length(endpoint) <= 1000),
  public_key text not null check (char_length(public_key) <= 100),
  auth text not null check (char_length(auth) <= 40),
  device text not null default '' check (char_length(device) <= 100),
  shows_text boolean not null default false,
  created_at timestamptz not null,
  reached_at timestamptz
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
create index push_subscriptions_of_person on push_subscriptions (person_id, created_at);
create index push_subscriptions_of_session on push_subscriptions (session_id);
comment on table push_subscriptions is 'Browsers that receive push notifications.';
