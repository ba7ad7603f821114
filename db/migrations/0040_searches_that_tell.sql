-- A search that is kept can tell its person of what is new, once a day at most: up to when it has told, and when it looks again.
alter table saved_searches
  add column told_up_to timestamptz,
  add column looks_at timestamptz,
  add check ((told_up_to is null) = (looks_at is null));
create index saved_searches_that_look on saved_searches (looks_at) where looks_at is not null;

alter table notifications drop constraint notifications_object_kind_check;
alter table notifications add constraint notifications_object_kind_check
  check (object_kind in ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement', 'report', 'search'));
