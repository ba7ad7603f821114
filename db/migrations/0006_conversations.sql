-- Private conversations and messages.

create table conversations (
  id uuid primary key,
  kind text not null check (kind in ('direct', 'group')),
  name text not null default '',
  creator_id uuid not null references people (id),
  pair text unique,
  last_seq integer not null default 0,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  check ((kind = 'direct') = (pair is not null))
);
create index conversations_of_creator on conversations (creator_id, created_at desc);
comment on table conversations is 'Conversations.';
comment on column conversations.pair is 'Both ids, for conversations of two.';

create table conversation_entries (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  after_seq integer not null,
  kind text not null check (kind in ('added', 'removed', 'renamed')),
  by_id uuid references people (id),
  person_id uuid references people (id),
  name text not null default '',
  at timestamptz not null
);
create index conversation_entries_in_order on conversation_entries (conversation_id, after_seq, id);
create index conversation_entries_about on conversation_entries (person_id) where (person_id is not null);
create index conversation_entries_by on conversation_entries (by_id) where (by_id is not null);
comment on table conversation_entries is 'Activity entries: added, removed, renamed.';

create table participants (
  conversation_id uuid references conversations (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  state text not null default 'accepted' check (state in ('request', 'accepted', 'deleted', 'left')),
  last_read_seq integer not null default 0,
  joined_seq integer not null default 0,
  muted_until timestamptz,
  archived_at timestamptz,
  joined_at timestamptz not null,
  seen_seq integer not null default 0,
  primary key (conversation_id, person_id)
);
create index participants_of_person on participants (person_id, state);
comment on table participants is 'People in conversations.';
comment on column participants.joined_seq is 'They read messages after this number.';
comment on column participants.seen_seq is 'Last message their receipt shows.';

create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  seq integer not null,
  author_id uuid not null references people (id),
  body_md text not null,
  body_html text not null,
  client_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  reply_to uuid references messages (id) on delete set null
);
create unique index messages_in_order on messages (conversation_id, seq);
create unique index messages_client_id on messages (author_id, client_id) where (client_id is not null);
create index messages_answered on messages (reply_to) where (reply_to is not null);
create index messages_of_author on messages (author_id, created_at desc);
create index messages_words on messages using gin (to_tsvector('simple'::regconfig, body_md))
  where (deleted_at is null);
create index messages_with_attachments on messages (conversation_id, seq)
  where ((deleted_at is null) and (body_html ~~ '%/files/%'));
comment on table messages is 'Messages.';
comment on column messages.seq is 'Position in the conversation.';
comment on column messages.client_id is 'Names one submission.';

create table message_reactions (
  message_id uuid references messages (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  emoji text check (char_length(emoji) <= 16),
  created_at timestamptz not null,
  primary key (message_id, person_id, emoji)
);
create index message_reactions_of_person on message_reactions (person_id, created_at desc);
comment on table message_reactions is 'Reactions to messages.';

create table hidden_messages (
  person_id uuid references people (id) on delete cascade,
  message_id uuid references messages (id) on delete cascade,
  hidden_at timestamptz not null,
  primary key (person_id, message_id)
);
create index hidden_messages_of on hidden_messages (message_id);
comment on table hidden_messages is 'Messages somebody deleted for themselves.';
