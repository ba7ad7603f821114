-- Prevention: watched words, and addresses that may not register.

create table watched_words (
  id uuid primary key,
  phrase text not null check (char_length(phrase) between 1 and 100),
  action text not null check (action in ('approve', 'block', 'replace')),
  replacement text not null default '' check (char_length(replacement) <= 100),
  explanation text not null default '' check (char_length(explanation) <= 300),
  changed_at timestamptz not null,
  changed_by uuid references people (id) on delete set null
);
create unique index watched_words_phrase on watched_words (phrase);
create index watched_words_changed_by on watched_words (changed_by) where (changed_by is not null);
comment on table watched_words is 'Words and patterns that public texts are checked for.';
comment on column watched_words.phrase is 'An asterisk stands for any letters, a question mark for one.';

create table watched_words_version (
  only_row boolean primary key default true check (only_row),
  version uuid not null
);
comment on table watched_words_version is 'Changes with each change of watched words. Empty: there are none.';

alter table pending_posts add column watched_word jsonb;
comment on column pending_posts.watched_word is 'The phrase and explanation that made the post wait, if any.';

create table blocked_addresses (
  id uuid primary key,
  kind text not null check (kind in ('domain', 'email', 'network')),
  value text not null check (char_length(value) between 1 and 320),
  network cidr check ((network is not null) = (kind = 'network')),
  reason text not null check (char_length(reason) between 1 and 300),
  ends_at timestamptz,
  created_at timestamptz not null,
  created_by uuid references people (id) on delete set null
);
create unique index blocked_addresses_value on blocked_addresses (value);
create index blocked_addresses_latest on blocked_addresses (created_at desc, id desc);
create index blocked_addresses_network on blocked_addresses using gist (network inet_ops);
create index blocked_addresses_created_by on blocked_addresses (created_by) where (created_by is not null);
comment on table blocked_addresses is 'Email domains, email addresses and networks that may not register.';
