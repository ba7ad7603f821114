-- What one can do with a message: answer it, react to it, change it, take it back, put it out of one's own sight; and
-- what a conversation of several remembers of who came and went.

alter table messages add column reply_to uuid references messages (id) on delete set null;
create index messages_answered on messages (reply_to) where reply_to is not null;
-- How much somebody said lately.
create index messages_of_author on messages (author_id, created_at desc);
create index messages_words on messages using gin (to_tsvector('simple', body_md)) where deleted_at is null;

create table message_reactions (
  message_id uuid not null references messages (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  emoji text not null check (char_length(emoji) <= 16),
  created_at timestamptz not null,
  primary key (message_id, person_id, emoji)
);
create index message_reactions_of_person on message_reactions (person_id, created_at desc);

-- Messages that one person took out of their own sight; the others keep them.
create table hidden_messages (
  person_id uuid not null references people (id) on delete cascade,
  message_id uuid not null references messages (id) on delete cascade,
  hidden_at timestamptz not null,
  primary key (person_id, message_id)
);
create index hidden_messages_of on hidden_messages (message_id);

-- How far somebody has ever read: what others are told, where both let it be known. Marking as unread leaves it.
alter table participants add column seen_seq integer not null default 0;
update participants set seen_seq = last_read_seq;

-- Who was added, removed, or named it: it stands between the messages, after the one with that number.
create table conversation_lines (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  after_seq integer not null,
  kind text not null check (kind in ('added', 'removed', 'renamed')),
  by_id uuid references people (id),
  person_id uuid references people (id),
  name text not null default '',
  at timestamptz not null
);
create index conversation_lines_in_order on conversation_lines (conversation_id, after_seq, id);

create index conversations_of_creator on conversations (creator_id, created_at desc);
