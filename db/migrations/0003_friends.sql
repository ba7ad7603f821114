-- Relationships: friends, blocks, mutes, filters.

create table friendships (
  low_id uuid references people (id) on delete cascade,
  high_id uuid references people (id) on delete cascade,
  state text not null check (state in ('pending', 'friends', 'declined')),
  requested_by uuid not null references people (id) on delete cascade,
  note text not null default '' check (char_length(note) <= 300),
  requested_at timestamptz not null,
  changed_at timestamptz not null,
  cancelled boolean not null default false,
  check (low_id < high_id),
  constraint friendships_check1 check ((requested_by = low_id) or (requested_by = high_id)),
  primary key (low_id, high_id)
);
create index friendships_of_high on friendships (high_id, state);
create index friendships_of_low on friendships (low_id, state);
create index friendships_requested_by on friendships (requested_by) where (requested_by is not null);
comment on table friendships is 'Friend requests and friendships; low_id < high_id.';
comment on column friendships.cancelled is 'The request was withdrawn by its sender.';

create table ended_friendships (
  low_id uuid references people (id) on delete cascade,
  high_id uuid references people (id) on delete cascade,
  ended_by uuid not null references people (id) on delete cascade,
  requested_by uuid not null references people (id) on delete cascade,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (low_id, high_id)
);
create index ended_friendships_of_high on ended_friendships (high_id);
create index ended_friendships_age on ended_friendships (ended_at);
create index ended_friendships_ended_by on ended_friendships (ended_by) where (ended_by is not null);
create index ended_friendships_requested_by on ended_friendships (requested_by)
  where (requested_by is not null);
comment on table ended_friendships is 'Friendships that ended in the last minutes and can be restored.';

create table friend_links (
  id uuid primary key,
  created_by uuid not null references people (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0,
  most_uses integer not null,
  revoked_at timestamptz
);
create index friend_links_of_creator on friend_links (created_by, created_at desc, id desc);
create index friend_links_expiry on friend_links (expires_at);
comment on table friend_links is 'Links that make friends of whoever opens them.';

create table friend_request_attempts (
  asker_id uuid references people (id) on delete cascade,
  asked_id uuid references people (id) on delete cascade,
  asked_at timestamptz not null,
  primary key (asker_id, asked_id)
);
create index friend_request_attempts_of_asked on friend_request_attempts (asked_id);
create index friend_request_attempts_age on friend_request_attempts (asked_at);
comment on table friend_request_attempts is 'Requests sent within a day, also cancelled ones, for the limit.';

create table dismissed_suggestions (
  person_id uuid references people (id) on delete cascade,
  suggested_id uuid references people (id) on delete cascade,
  dismissed_at timestamptz not null,
  primary key (person_id, suggested_id)
);
create index dismissed_suggestions_of_suggested on dismissed_suggestions (suggested_id);
comment on table dismissed_suggestions is 'Suggested people the viewer is not interested in.';

create table blocks (
  blocker_id uuid references people (id) on delete cascade,
  blocked_id uuid references people (id) on delete cascade,
  created_at timestamptz not null,
  check (blocker_id <> blocked_id),
  primary key (blocker_id, blocked_id)
);
create index blocks_of_blocked on blocks (blocked_id);
comment on table blocks is 'Blocks; they work both ways.';

create table mutes (
  muter_id uuid references people (id) on delete cascade,
  muted_id uuid references people (id) on delete cascade,
  until timestamptz,
  created_at timestamptz not null,
  check (muter_id <> muted_id),
  primary key (muter_id, muted_id)
);
create index mutes_of_muted on mutes (muted_id);
create index mutes_end on mutes (until) where (until is not null);
comment on table mutes is 'Mutes; the muted person never learns of them.';

create table filters (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  phrase text not null check (char_length(phrase) between 1 and 100),
  contexts text[] not null check ((contexts <@ array['home', 'discussion', 'notifications']) and (cardinality(contexts) > 0)),
  action text not null check (action in ('collapse', 'hide')),
  until timestamptz,
  created_at timestamptz not null,
  dropped_at timestamptz
);
create index filters_of_person on filters (person_id, created_at, id);
create index filters_end on filters (until) where (until is not null);
create index filters_dropped on filters (dropped_at) where (dropped_at is not null);
comment on table filters is 'Phrases somebody does not want to read.';
