-- What somebody is told of. A row stands for all of one kind about one thing while it is unread: whoever did it, however
-- often. Figures, pages, mail and push are made from these rows and from nothing else.
create table notifications (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  kind text not null,
  -- What it is about, and what clears it when it is opened.
  object_kind text not null check (object_kind in ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement')),
  object_id uuid not null,
  -- Why this person is told, and a word more where the kind needs one: the new role, what became of a request.
  reason text not null,
  detail text not null default '',
  -- Who did it, the newest first; a few of them. `count` is how often.
  actors uuid[] not null default '{}',
  count integer not null default 1 check (count > 0),
  -- The very post, comment or message to open.
  latest_id uuid,
  -- Names of the latest single things in it, the newest first: what is told a second time is counted once.
  items uuid[] not null default '{}',
  -- False: kept off the page and out of the figures, for mail and push alone.
  shown boolean not null default true,
  -- In the folder of senders whom this person wants to look at apart: neither counted nor sent.
  filtered boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  seen_at timestamptz,
  read_at timestamptz,
  withdrawn_at timestamptz,
  -- When it goes out by mail if nobody has read it by then; null: never. What comes in after a mail asks for another
  -- one: then mailed_at is null again, and mailed_before says until when has been told.
  mail_at timestamptz,
  mailed_at timestamptz,
  mailed_before timestamptz,
  push_at timestamptz,
  pushed_at timestamptz,
  check (not filtered or (mail_at is null and push_at is null))
);
create unique index notifications_open on notifications (person_id, object_id, kind, filtered) where read_at is null and withdrawn_at is null;
create index notifications_of_person on notifications (person_id, updated_at desc, id desc) where withdrawn_at is null;
create index notifications_unread on notifications (person_id, updated_at desc, id desc)
  where read_at is null and withdrawn_at is null and shown and not filtered;
create index notifications_of_object on notifications (object_id, person_id);
create index notifications_to_mail on notifications (mail_at)
  where mail_at is not null and mailed_at is null and read_at is null and withdrawn_at is null;
create index notifications_to_push on notifications (push_at)
  where push_at is not null and pushed_at is null and read_at is null and withdrawn_at is null;
create index notifications_age on notifications (updated_at);

-- What somebody chose otherwise than is usual, for one kind.
create table notification_choices (
  person_id uuid not null references people (id) on delete cascade,
  kind text not null,
  shown boolean not null,
  mailed boolean not null,
  pushed boolean not null,
  primary key (person_id, kind)
);

-- When mail and push wait, how often there is a digest, and whose doings stand apart. A person without a row has the defaults.
create table notification_settings (
  person_id uuid primary key references people (id) on delete cascade,
  -- Quiet from one hour to the other in the person's own zone, over midnight where the first is the later, on nights
  -- that begin on these days (1 is Monday).
  quiet_from time,
  quiet_to time,
  quiet_days smallint[] not null default '{1,2,3,4,5,6,7}',
  paused_until timestamptz,
  digest_every text not null default 'week' check (digest_every in ('never', 'day', 'week', 'month')),
  digest_day smallint not null default 1 check (digest_day between 1 and 7),
  digest_sent_at timestamptz,
  strangers_apart boolean not null default false,
  newcomers_apart boolean not null default false,
  check ((quiet_from is null) = (quiet_to is null)),
  check (quiet_from <> quiet_to)
);

-- Senders who were let out of the folder.
create table notification_senders (
  person_id uuid not null references people (id) on delete cascade,
  sender_id uuid not null references people (id) on delete cascade,
  accepted_at timestamptz not null,
  primary key (person_id, sender_id),
  check (person_id <> sender_id)
);
create index notification_senders_of on notification_senders (sender_id);
