-- A link of a person's own, to hand on: whoever comes with it becomes a friend. Of its token only the hash is kept.
create table friend_links (
  id uuid primary key,
  made_by uuid not null references people (id) on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0,
  most_uses integer not null,
  revoked_at timestamptz
);
create index friend_links_of_maker on friend_links (made_by, made_at desc, id desc);
create index friend_links_expiry on friend_links (expires_at);

-- Whom somebody does not want to have suggested again.
create table dismissed_suggestions (
  person_id uuid not null references people (id) on delete cascade,
  suggested_id uuid not null references people (id) on delete cascade,
  dismissed_at timestamptz not null,
  primary key (person_id, suggested_id)
);
create index dismissed_suggestions_of_suggested on dismissed_suggestions (suggested_id);

-- A friendship that somebody has just ended, for as long as they can take that back.
create table ended_friendships (
  low_id uuid not null references people (id) on delete cascade,
  high_id uuid not null references people (id) on delete cascade,
  ended_by uuid not null references people (id) on delete cascade,
  requested_by uuid not null references people (id) on delete cascade,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (low_id, high_id)
);
create index ended_friendships_of_high on ended_friendships (high_id);
create index ended_friendships_age on ended_friendships (ended_at);
