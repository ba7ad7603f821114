-- Of sorted sets: entries have a score, and stand in its order; those of one score in the order of their JSON, as far as an index takes it.
alter table hive_entries add column score double precision;
create index hive_entries_by_score on hive_entries (key_id, score, (left(value, 100) collate "C"), field) where score is not null;
