-- Browsers that somebody wants to be told on, each with the address that its maker gave it and the keys to write to it. It
-- ends with the session in which it was asked for: whoever signs out is not written to there any more.
create table push_subscriptions (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null check (char_length(endpoint) <= 1000),
  public_key text not null check (char_length(public_key) <= 100),
  auth text not null check (char_length(auth) <= 40),
  device text not null default '' check (char_length(device) <= 100),
  -- Off: it says that there is something, and neither who nor what.
  shows_text boolean not null default false,
  created_at timestamptz not null,
  reached_at timestamptz
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
create index push_subscriptions_of_person on push_subscriptions (person_id, created_at);
create index push_subscriptions_of_session on push_subscriptions (session_id);
