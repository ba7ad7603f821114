-- Bots, and incoming webhooks: addresses at which other programs post in a group.

alter table people drop constraint people_state_check, add constraint people_state_check check (
  state in ('unverified', 'pending_approval', 'active', 'limited', 'suspended', 'deactivated', 'erased', 'ghost', 'guest',
    'bot'));
comment on column people.state is 'unverified, pending, active, limited, suspended, deactivated, erased, ghost (imported, unclaimed), guest or bot.';

create table bots (
  person_id uuid primary key references people (id) on delete cascade,
  group_id uuid not null references groups (id) on delete cascade,
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index bots_of_group on bots (group_id);
create index bots_of_creator on bots (created_by);
comment on table bots is 'Accounts of programs that post in a group. They cannot sign in.';
comment on column bots.person_id is 'Account with name and picture; its state is bot.';
comment on column bots.deleted_at is 'A deleted bot posts nothing more; its posts keep its name.';

create table incoming_webhooks (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  bot_id uuid not null references bots (person_id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  starts_discussions boolean not null,
  discussion_id uuid references discussions (id) on delete set null,
  token_hash bytea not null unique,
  previous_hash bytea unique,
  previous_until timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  used_at timestamptz,
  messages integer not null default 0,
  check (not starts_discussions or discussion_id is null),
  check ((previous_hash is null) = (previous_until is null))
);
create index incoming_webhooks_of_group on incoming_webhooks (group_id);
create index incoming_webhooks_of_bot on incoming_webhooks (bot_id);
create index incoming_webhooks_of_discussion on incoming_webhooks (discussion_id);
comment on table incoming_webhooks is 'Secret addresses at which other programs post messages as a bot.';
comment on column incoming_webhooks.starts_discussions is 'Each message starts a discussion in the group.';
comment on column incoming_webhooks.discussion_id is
  'Discussion in which messages are posted; null if it was deleted or each message starts one.';
comment on column incoming_webhooks.token_hash is 'SHA-256 of the token in the address.';
comment on column incoming_webhooks.previous_hash is
  'SHA-256 of the token before the last rotation; accepted until previous_until.';
comment on column incoming_webhooks.used_at is 'Time of the last message that was posted.';
comment on column incoming_webhooks.messages is 'Number of messages that were posted.';
