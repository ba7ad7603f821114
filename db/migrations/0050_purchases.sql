-- What was bought in a store, as the store said it when it was last asked.
create table purchases (
  id uuid primary key,
  store text not null check (store in ('google-play')),
  kind text not null check (kind in ('product', 'subscription')),
  package_name text not null check (char_length(package_name) between 1 and 255),
  product text not null check (char_length(product) between 1 and 255),
  -- By this the store knows the purchase; it is nothing without the service account.
  token text not null check (char_length(token) between 1 and 1500),
  -- Who has shown it first.
  person_id uuid references people (id) on delete set null,
  state text not null check (state in ('active', 'pending', 'ended')),
  until timestamptz,
  answer jsonb not null,
  -- Roles and places in groups that it has given.
  given jsonb not null default '[]',
  created_at timestamptz not null,
  checked_at timestamptz not null,
  unique (store, kind, package_name, product, token)
);
create index purchases_of_person on purchases (person_id) where person_id is not null;
create index purchases_due on purchases (until) where state = 'active' and until is not null;
