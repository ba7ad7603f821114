-- Answers to invitations of events come back to reply addresses.

alter table reply_addresses drop constraint reply_addresses_place_kind_check;
alter table reply_addresses add constraint reply_addresses_place_kind_check
  check (place_kind in ('discussion', 'conversation', 'event'));
