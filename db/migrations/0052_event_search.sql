-- Events in the search index. Existing events are indexed at the next start.

alter table search_documents drop constraint search_documents_in_index_check;
alter table search_documents
  add constraint search_documents_in_index_check
    check (in_index in ('people', 'groups', 'discussions', 'posts', 'resources', 'messages', 'events')),
  add column starts_at timestamptz,
  add column ends_at timestamptz;
create index search_events on search_documents using gin (words) where (in_index = 'events');
create index search_events_by_start on search_documents (starts_at, id) where (in_index = 'events');
comment on column search_documents.in_index is
  'people, groups, discussions, resources, posts, messages or events.';
comment on column search_documents.starts_at is 'Start of an event; null in other indices.';
comment on column search_documents.ends_at is 'End of an event; null in other indices.';

insert into search_runs (in_index) values ('events');
