-- Browsers that have signed a person in before: a sign-in from any other is told by mail. Hashed.
create table known_devices (
  person_id uuid not null references people (id) on delete cascade,
  device_hash bytea not null,
  seen_at timestamptz not null,
  primary key (person_id, device_hash)
);

-- When somebody left: hidden at once, erased 30 days later unless they come back.
alter table people add column deactivated_at timestamptz;
alter table people add check ((state = 'deactivated') = (deactivated_at is not null));
create index people_leaving on people (deactivated_at) where deactivated_at is not null;
-- Sanctions that end by themselves.
create index people_under_sanction on people (state_until) where state in ('limited', 'suspended');
create index mail_links_expiry on mail_links (expires_at);
