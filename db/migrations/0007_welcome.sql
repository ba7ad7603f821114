-- The way in: what newcomers said when they asked to join, which rules they accepted, whether they have been shown
-- round, and how much mail they want.
alter table people
  add column join_reason text not null default '' check (char_length(join_reason) <= 1000),
  add column rules_accepted_at timestamptz,
  add column rules_accepted_version integer,
  add column welcomed_at timestamptz,
  add column mail_level text not null default 'important' check (mail_level in ('important', 'everything', 'nothing'));
alter table people add check ((rules_accepted_at is null) = (rules_accepted_version is null));
