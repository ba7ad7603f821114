-- What somebody is told of may be what they can see no longer: such a row keeps the name by which they knew it. `words` is what
-- was said with it, such as the reason of a decision; `moment` from when on it holds, or until when.
alter table notifications
  add column kept_name text,
  add column words text not null default '',
  add column moment timestamptz;
