-- Of lists: what they hold, in the order of positions that leave room between them. `field` is a hash of the value.
create table hive_items (
  key_id bigint not null references hive_keys (id) on delete cascade,
  position bigint not null,
  field text collate "C" not null,
  value text not null,
  -- Looked at when a statement is done, so that one statement can number a list anew.
  primary key (key_id, position) deferrable initially immediate
);
create index hive_items_by_value on hive_items (key_id, field, position);
