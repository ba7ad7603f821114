-- Accounts: people, sessions, sign-in, second step, sanctions.

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
  privacy jsonb not null default '{}',
  photo_id uuid,
  photo_alt text not null default '',
  header_id uuid,
  header_alt text not null default '',
  header_style text not null default 'meadow',
  username_changed_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  deactivated_at timestamptz,
  join_reason text not null default '' check (char_length(join_reason) <= 1000),
  rules_accepted_at timestamptz,
  rules_accepted_version integer,
  welcomed_at timestamptz,
  mail_level text not null default 'important' check (mail_level in ('important', 'everything', 'nothing')),
  leaving text check (leaving in ('keep', 'remove')),
  properties jsonb not null default '{}' check (jsonb_typeof(properties) = 'object'),
  wrong_passwords integer not null default 0,
  locked_until timestamptz,
  renamed integer not null default 0,
  renamed_since timestamptz,
  welcome_step smallint check (welcome_step between 1 and 4),
  passkey_step_at timestamptz,
  check ((state = 'deactivated') = (deactivated_at is not null)),
  constraint people_check1 check ((rules_accepted_at is null) = (rules_accepted_version is null))
);
create unique index people_username on people (username);
create unique index people_email on people (lower(email));
create index people_by_name on people (lower(display_name), id) where (state in ('active', 'limited'));
create index people_unconfirmed on people (created_at) where (state = 'unverified');
create index people_leaving on people (deactivated_at) where (deactivated_at is not null);
create index people_under_sanction on people (state_until) where (state in ('limited', 'suspended'));
create index people_words on people
  using gin (to_tsvector('simple'::regconfig, ((display_name || ' ') || translate(username, '_.-', '   '))));
create index people_pending on people (id) where (state = 'pending_approval');
create index people_with_photo on people (photo_id) where (photo_id is not null);
create index people_with_header on people (header_id) where (header_id is not null);
comment on table people is 'Accounts.';
comment on column people.trust is 'new or established.';
comment on column people.state is 'unverified, pending, active, limited, suspended, deactivated, erased, ghost (imported, unclaimed) or guest.';
comment on column people.fields is 'Answers shown without a profile field of their own.';
comment on column people.privacy is 'Choices of the person by name.';
comment on column people.mail_level is 'How much mail the person wants.';
comment on column people.leaving is 'What happens to content when the account is erased.';
comment on column people.properties is 'Values that API clients store with the person.';
comment on column people.wrong_passwords is 'Failed sign-ins through the API since the last success.';
comment on column people.renamed is 'Renames of the display name since renamed_since.';
comment on column people.welcome_step is 'Step of the welcome pages reached; null when finished.';

create table sanctions (
  person_id uuid primary key references people (id) on delete cascade,
  since timestamptz not null,
  given_by uuid references people (id) on delete set null
);
create index sanctions_given_by on sanctions (given_by) where (given_by is not null);
comment on table sanctions is 'Who imposed the current sanction of an account, and when.';

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references people (id) on delete cascade,
  door text not null check (door in ('web', 'wire')),
  stay boolean not null,
  device text not null default '',
  address_hash bytea,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_person on sessions (person_id, seen_at desc);
create index sessions_expiry on sessions (expires_at);
comment on table sessions is 'Signed-in sessions of browsers and API clients.';
comment on column sessions.token_hash is 'SHA-256 of the token.';
comment on column sessions.door is 'Page or API.';
comment on column sessions.stay is 'Keeps the session after the browser closes.';

create table known_devices (
  person_id uuid references people (id) on delete cascade,
  device_hash bytea,
  seen_at timestamptz not null,
  primary key (person_id, device_hash)
);
comment on table known_devices is 'Browsers that signed in before; a new one is mailed to the person.';

create table mail_links (
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'change_email', 'reset_password', 'sign_in')),
  email text not null,
  browser_hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_links_of_person on mail_links (person_id, purpose);
create index mail_links_expiry on mail_links (expires_at);
comment on table mail_links is 'Single-use links in mails: confirmation, sign-in, password reset.';

create unlogged table sign_in_failures (
  key_hash bytea primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index sign_in_failures_by_age on sign_in_failures (last_at);
comment on table sign_in_failures is 'Failed sign-ins of one account from one network or browser: they set the pause before the next try. Unlogged: losing them costs nothing.';
comment on column sign_in_failures.key_hash is 'Hash of account and network or browser.';

create table provider_identities (
  provider text,
  subject text,
  person_id uuid not null references people (id) on delete cascade,
  email text,
  linked_at timestamptz not null,
  primary key (provider, subject)
);
create index provider_identities_of_person on provider_identities (person_id);
comment on table provider_identities is 'Accounts at sign-in providers.';

create table two_factor_challenges (
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  stay boolean not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index two_factor_challenges_by_person on two_factor_challenges (person_id)
  where (person_id is not null);
comment on table two_factor_challenges is 'Sign-ins that wait for the second step.';

create table totp_secrets (
  person_id uuid primary key references people (id) on delete cascade,
  secret_sealed bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null
);
comment on table totp_secrets is 'Secrets of authenticator apps, sealed with a key outside the database.';
comment on column totp_secrets.last_step is 'Last time step used; a code works once.';

create table recovery_codes (
  person_id uuid references people (id) on delete cascade,
  code_hash bytea,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
comment on table recovery_codes is 'Hashes of recovery codes.';

create table passkeys (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  credential_id bytea not null unique,
  name text not null check (length(name) between 1 and 60),
  public_key bytea not null,
  counter bigint not null default 0,
  party text not null,
  transports text[] not null default '{}',
  added_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);
comment on table passkeys is 'Public keys of passkeys.';
comment on column passkeys.counter is 'Signature counter, detects copies.';
comment on column passkeys.party is 'Host they were made for.';

create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('add', 'enter', 'second_step')),
  person_id uuid references people (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
create index passkey_challenges_of_person on passkey_challenges (person_id);
comment on table passkey_challenges is 'Challenges that wait for an answer, for five minutes.';

create table former_usernames (
  username text primary key,
  person_id uuid not null references people (id) on delete cascade,
  until timestamptz not null
);
create index former_usernames_by_person on former_usernames (person_id) where (person_id is not null);
comment on table former_usernames is 'Usernames before a rename; their addresses redirect.';

create table imported_accounts (
  person_id uuid primary key references people (id) on delete cascade,
  email text not null
);
create unique index imported_accounts_email on imported_accounts (lower(email));
comment on table imported_accounts is 'Mail addresses by which imported accounts are claimed.';

create table profile_fields (
  id uuid primary key,
  label text not null check (char_length(label) between 1 and 40),
  hint text not null default '' check (char_length(hint) <= 200),
  kind text not null check (kind in ('line', 'text', 'link', 'date', 'choice', 'choices')),
  choices text[] not null default '{}',
  audience text not null check (audience in ('everyone', 'members', 'friends', 'nobody')),
  locked boolean not null default false,
  required boolean not null default false,
  place integer not null,
  created_at timestamptz not null,
  created_by uuid references people (id) on delete set null,
  retired_at timestamptz,
  retired_by uuid references people (id) on delete set null,
  check ((kind in ('choice', 'choices')) = (cardinality(choices) > 0))
);
create index profile_fields_created_by on profile_fields (created_by) where (created_by is not null);
create index profile_fields_retired_by on profile_fields (retired_by) where (retired_by is not null);
comment on table profile_fields is 'Questions the community asks in every profile.';

create table profile_values (
  person_id uuid references people (id) on delete cascade,
  field_id uuid references profile_fields (id) on delete cascade,
  said text[] not null check (cardinality(said) between 1 and 50),
  audience text not null check (audience in ('everyone', 'members', 'friends', 'nobody')),
  primary key (person_id, field_id)
);
create index profile_values_by_value on profile_values using gin (said);
create index profile_values_of_field on profile_values (field_id);
comment on table profile_values is 'Answers to profile fields.';
comment on column profile_values.audience is 'everyone, members, friends or nobody.';

create table person_properties (
  name text primary key check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  type text not null check (type in ('STRING', 'TEXT', 'INT', 'DOUBLE', 'BOOLEAN', 'DATETIME', 'JSON')),
  required boolean not null default false,
  created_at timestamptz not null
);
comment on table person_properties is 'Kinds of the properties that API clients store with people.';

create table roles (
  name text primary key check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  created_at timestamptz not null
);
comment on table roles is 'Roles that API clients or admins define.';

create table person_roles (
  role text references roles (name) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  given_at timestamptz not null,
  primary key (role, person_id)
);
create index person_roles_of_person on person_roles (person_id);
comment on table person_roles is 'People in roles.';

create table personal_exports (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz not null,
  hash text,
  size bigint,
  check (((ready_at is null) = (hash is null)) and ((hash is null) = (size is null)))
);
create index personal_exports_of_person on personal_exports (person_id, created_at desc);
create index personal_exports_expiry on personal_exports (expires_at);
comment on table personal_exports is 'Archives that people requested of their own data.';
