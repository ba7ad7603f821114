-- What a change in the tables of programs is told with that is too long for the outbox, or no longer to be read elsewhere: the last
-- state of a record that went, long lists of ids, long clauses. Other processes read it within seconds; after an hour it goes. It is
-- not logged: after a crash nobody is there any more who was to be told.
create unlogged table data_told (
  outbox_id bigint primary key,
  about jsonb not null,
  at timestamptz not null
);
create index data_told_at on data_told (at);
