-- What programs, and the pages of this house, write into their logs: kept for a while, to be searched.
create table log_lines (
  -- Lines arrive together; batches sort by age, and lines within theirs.
  batch_id uuid not null,
  n integer not null,
  kind text not null check (kind in ('logging', 'console', 'developer', 'automation')),
  logger text collate "C" not null check (char_length(logger) between 1 and 200),
  -- 1 is fatal, 6 is trace.
  level smallint not null check (level between 1 and 6),
  message text not null check (char_length(message) <= 4000),
  exception text check (char_length(exception) <= 8000),
  -- Of a page of ours: which build it was, and which route.
  build text,
  page text,
  said_at timestamptz not null,
  at timestamptz not null,
  words tsvector not null,
  primary key (batch_id, n)
);
create index log_lines_of_logger on log_lines (logger, batch_id desc, n desc);
create index log_lines_bad on log_lines (batch_id desc, n desc) where level <= 2;
create index log_lines_words on log_lines using gin (words);
create index log_lines_at on log_lines (at);
