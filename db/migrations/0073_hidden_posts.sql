-- A post that several people have reported is read by its author and those who look after its place alone, until somebody has looked at it.
alter table posts
  -- Since when; null as well for what came hidden from elsewhere.
  add column hidden_at timestamptz,
  -- How often so far: its author brings it back by themselves once.
  add column hidden_times smallint not null default 0,
  -- When it was last let be read again: what was reported before does not hide it once more.
  add column shown_at timestamptz;
