-- Passkeys (WebAuthn): a key that a device keeps for its person and for this address, of which only the public half is here.
create table passkeys (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  -- What the device calls it, and, for its person, what they call it.
  credential_id bytea not null unique,
  name text not null check (length(name) between 1 and 60),
  public_key bytea not null,
  -- How often it has signed, where it counts that: a copy of it would fall behind.
  counter bigint not null default 0,
  -- The name of the house that it was made for. At another address it does not work.
  party text not null,
  transports text[] not null default '{}',
  added_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);

-- What a device is asked to sign: once, within minutes, for one purpose.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('add', 'enter', 'second_step')),
  -- Whose passkey is asked for; nobody's in particular where somebody comes in.
  person_id uuid references people (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
create index passkey_challenges_of_person on passkey_challenges (person_id);
