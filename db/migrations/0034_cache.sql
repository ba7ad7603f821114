-- What programs remember for a while. Loss on a crash is right for it, and spares the disk half of the work.
create unlogged table cached (
  key text collate "C" primary key check (char_length(key) between 1 and 250),
  -- JSON as it was sent; text, so that it comes back as it was.
  value text not null,
  expires_at timestamptz not null
);
create index cached_until on cached (expires_at);
