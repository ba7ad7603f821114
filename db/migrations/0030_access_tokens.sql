-- Personal access tokens: secrets with which programs act for a person, within scopes.

create table access_tokens (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  token_hash bytea not null unique,
  name text not null check (char_length(name) between 1 and 60),
  scopes text[] not null check (cardinality(scopes) between 1 and 50),
  created_at timestamptz not null,
  expires_at timestamptz,
  used_on date,
  used_from text check (char_length(used_from) <= 60)
);
create index access_tokens_of_person on access_tokens (person_id);
create index access_tokens_expiry on access_tokens (expires_at) where (expires_at is not null);
comment on table access_tokens is 'Personal access tokens; a program that has one acts for its person.';
comment on column access_tokens.token_hash is 'SHA-256 of the token.';
comment on column access_tokens.scopes is 'Areas and access, such as discussions:write.';
comment on column access_tokens.expires_at is 'Null: it does not expire.';
comment on column access_tokens.used_on is 'Day of the last use, in UTC.';
comment on column access_tokens.used_from is 'Network address of the last use, masked.';
