-- What a page elsewhere says of itself, by its address; kept for a week.
create table link_previews (
  address text primary key check (char_length(address) <= 2000),
  title text not null default '',
  description text not null default '',
  site text not null default '',
  -- Null while nobody has looked; a page without a title stays without a card.
  looked_at timestamptz,
  wanted_at timestamptz not null
);

-- Which links stand alone in which post, in their order; its author may do without a card.
create table post_links (
  post_id uuid not null references posts (id) on delete cascade,
  address text not null references link_previews (address) on delete cascade,
  place smallint not null,
  removed_at timestamptz,
  primary key (post_id, address)
);
create index post_links_by_address on post_links (address);
