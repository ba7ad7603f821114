-- Participants carry the number and time of their conversation's last message, so that an inbox is read in
-- order from one index and unread conversations are found in another. Messages that the previous version
-- writes meanwhile are missing here until the next one of their conversation.

alter table participants add column last_seq integer not null default 0,
  add column last_message_at timestamptz not null default now();
update participants p set last_seq = c.last_seq, last_message_at = c.last_message_at
from conversations c where c.id = p.conversation_id;

drop index participants_of_person;
create index participants_of_person on participants (
  person_id, state, last_message_at desc, conversation_id desc);
create index participants_unread on participants (person_id, last_message_at desc, conversation_id desc)
  where (state = 'accepted' and archived_at is null and last_seq > greatest(last_read_seq, joined_seq));
comment on column participants.last_seq is 'That of the conversation.';
comment on column participants.last_message_at is 'That of the conversation: the order of an inbox.';
