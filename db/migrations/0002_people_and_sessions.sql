create table people (
  id uuid primary key,
  username text not null check (username ~ '^[a-z0-9_.-]{3,20}$'),
  display_name text not null check (char_length(display_name) between 1 and 50),
  email text,
  email_confirmed_at timestamptz,
  password_hash text,
  password_changed_at timestamptz,
  site_role text not null default 'member' check (site_role in ('member', 'moderator', 'admin')),
  trust text not null default 'new' check (trust in ('new', 'established')),
  state text not null check (state in ('unverified', 'pending_approval', 'active', 'limited', 'suspended', 'deactivated', 'erased', 'ghost', 'guest')),
  state_reason text,
  state_until timestamptz,
  locale text not null default 'en' check (locale ~ '^[a-z]{2}$'),
  time_zone text not null default 'UTC',
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  pronouns text not null default '',
  location text not null default '',
  bio_md text not null default '',
  bio_html text not null default '',
  fields jsonb not null default '{}',
  -- Who sees and reaches this person; what is absent has its default in community/rules/people.ts.
  privacy jsonb not null default '{}',
  photo_id uuid,
  photo_alt text not null default '',
  header_id uuid,
  header_alt text not null default '',
  header_style text not null default 'meadow',
  username_changed_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz
);
create unique index people_username on people (username);
create unique index people_email on people (lower(email));
create index people_by_name on people (lower(display_name), id) where state in ('active', 'limited');
create index people_unconfirmed on people (created_at) where state = 'unverified';

-- A former user name keeps leading to its owner.
create table former_usernames (
  username text primary key,
  person_id uuid not null references people (id) on delete cascade,
  until timestamptz not null
);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references people (id) on delete cascade,
  door text not null check (door in ('web', 'wire')),
  -- Stay signed in: the cookie outlives the browser.
  stay boolean not null,
  device text not null default '',
  address_hash bytea,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_person on sessions (person_id, seen_at desc);
create index sessions_expiry on sessions (expires_at);

-- Links in mails: confirm an address, change it, reset a password, sign in. Single use, hashed.
create table mail_links (
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'change_email', 'reset_password', 'sign_in')),
  email text not null,
  -- Hash of a secret in the browser that asked, where the link wants to be opened in the same one.
  browser_hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_links_of_person on mail_links (person_id, purpose);

-- The second step. The secret is sealed with a key from the data folder.
create table totp_secrets (
  person_id uuid primary key references people (id) on delete cascade,
  secret_sealed bytea not null,
  confirmed_at timestamptz,
  -- The last 30-second step that was accepted: a code works once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);
create table recovery_codes (
  person_id uuid not null references people (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
-- Between the first and the second step.
create table half_sign_ins (
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  stay boolean not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);

create table identities (
  provider text not null,
  subject text not null,
  person_id uuid not null references people (id) on delete cascade,
  email text,
  linked_at timestamptz not null,
  primary key (provider, subject)
);
create index identities_of_person on identities (person_id);

create table uploads (
  id uuid primary key,
  owner_id uuid references people (id) on delete set null,
  hash text not null,
  size bigint not null,
  mime text not null,
  file_name text not null default '',
  width integer,
  height integer,
  alt text not null default '',
  -- Whose visibility it follows: 'person' (photo, header), 'group', 'resource'.
  attached_kind text,
  attached_id uuid,
  created_at timestamptz not null
);
create index uploads_attached on uploads (attached_kind, attached_id);
alter table people add foreign key (photo_id) references uploads (id) on delete set null;
alter table people add foreign key (header_id) references uploads (id) on delete set null;

create table friendships (
  low_id uuid not null references people (id) on delete cascade,
  high_id uuid not null references people (id) on delete cascade,
  state text not null check (state in ('pending', 'friends', 'declined')),
  requested_by uuid not null references people (id) on delete cascade,
  note text not null default '' check (char_length(note) <= 300),
  requested_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (low_id, high_id),
  check (low_id < high_id),
  check (requested_by in (low_id, high_id))
);
create index friendships_of_high on friendships (high_id, state);
create index friendships_of_low on friendships (low_id, state);

create table blocks (
  blocker_id uuid not null references people (id) on delete cascade,
  blocked_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_of_blocked on blocks (blocked_id);
