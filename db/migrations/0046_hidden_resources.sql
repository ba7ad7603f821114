-- Reports hide resources as they hide posts: since when, how often, and when a resource was last shown again.
alter table resources
  add column hidden_at timestamptz,
  add column hidden_count smallint not null default 0,
  add column unhidden_at timestamptz;
comment on column resources.state is 'draft, published, hidden (by reports) or removed.';
comment on column resources.hidden_at is 'Since when reports hide it; null for one that was imported as hidden.';
comment on column resources.hidden_count is 'How often reports hid the resource.';
comment on column resources.unhidden_at is 'When it was last shown again; earlier reports no longer count.';
