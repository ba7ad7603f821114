-- Numbers that programs count with.
create table counters (
  name text collate "C" primary key check (char_length(name) between 1 and 250),
  value bigint not null
);
