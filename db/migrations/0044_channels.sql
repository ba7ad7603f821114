-- Names under which programs publish. One is made when it is first used.
create table channels (
  name text collate "C" primary key check (char_length(name) between 1 and 100),
  created_at timestamptz not null,
  -- To the hour.
  used_at timestamptz not null
);

-- That something was published, for whoever asks what became of it. Loss on a crash is right for it: what was said on a channel is not kept.
create unlogged table published_messages (
  id uuid primary key,
  channel text collate "C" not null,
  -- What of it could not be done.
  error text,
  failed boolean not null,
  at timestamptz not null
);
create index published_messages_at on published_messages (at);

-- What is to be published at a moment, once or again and again.
create table scheduled_messages (
  id uuid primary key,
  channel text collate "C" not null,
  -- Who said so; nobody where a program did that nobody was signed in with.
  person_id uuid references people (id),
  -- JSON of the message with all that was said about it.
  content text not null,
  state text not null check (state in ('scheduled', 'published', 'cancelled', 'failed')),
  due_at timestamptz,
  -- Seconds from one time to the next.
  repeat_every integer check (repeat_every > 0),
  expires_at timestamptz,
  times integer not null default 0,
  error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'scheduled') = (due_at is not null)),
  check ((state = 'scheduled') = (ended_at is null))
);
create index scheduled_messages_due on scheduled_messages (due_at, id) where due_at is not null;
create index scheduled_messages_person on scheduled_messages (person_id);
create index scheduled_messages_channel on scheduled_messages (channel) where due_at is not null;
