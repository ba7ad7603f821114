-- Groups with all that looking after one needs: who reads what, rules with versions, invitations, an heir, a way back.

-- What was written before a group opened up stays with its members.
alter table discussions add column audience text not null default 'group' check (audience in ('group', 'members'));
alter table resources add column audience text not null default 'group' check (audience in ('group', 'members'));
alter table collections add column audience text not null default 'group' check (audience in ('group', 'members'));

alter table groups
  -- Who starts discussions and who invites.
  add column starts_by text not null default 'members' check (starts_by in ('members', 'moderators')),
  add column invites_by text not null default 'members' check (invites_by in ('members', 'moderators')),
  add column rules_version integer not null default 1,
  add column rules_changed_at timestamptz,
  add column photo_id uuid references uploads (id) on delete set null,
  add column photo_alt text not null default '',
  add column header_alt text not null default '',
  add column archived_by uuid references people (id) on delete set null,
  -- Gone for everybody; 30 days later for good.
  add column deleted_at timestamptz,
  add column deleted_by uuid references people (id) on delete set null,
  -- Those who moderate a group whose owners stay away ask the site for a new one.
  add column heir_asked_at timestamptz,
  add column heir_asked_by uuid references people (id) on delete set null,
  -- To be opened up at that moment; the members have been told.
  add column wider_visibility text check (wider_visibility in ('private', 'public')),
  add column wider_join_policy text check (wider_join_policy in ('open', 'request', 'invite')),
  add column wider_at timestamptz,
  add column wider_by uuid references people (id) on delete set null;
alter table groups drop constraint groups_state_check;
alter table groups add constraint groups_state_check check (state in ('pending', 'active', 'archived', 'deleted'));
alter table groups add check ((wider_at is null) = (wider_visibility is null) and (wider_at is null) = (wider_join_policy is null));
create index groups_deleted on groups (deleted_at) where deleted_at is not null;
create index groups_opening on groups (wider_at) where wider_at is not null;
create index groups_at_the_desk on groups (created_at) where state = 'pending' or heir_asked_at is not null;

-- What the rules said before they were changed.
create table group_rules_before (
  group_id uuid not null references groups (id) on delete cascade,
  version integer not null,
  rules jsonb not null,
  replaced_at timestamptz not null,
  replaced_by uuid references people (id) on delete set null,
  primary key (group_id, version)
);

-- Why somebody was turned away, taken out or kept out: told to them.
alter table memberships add column reason text not null default '' check (char_length(reason) <= 300);
alter table memberships drop constraint memberships_state_check;
alter table memberships add constraint memberships_state_check
  check (state in ('requested', 'invited', 'member', 'declined', 'withdrawn', 'refused', 'expired', 'left', 'removed', 'banned'));
create index memberships_kept_out on memberships (banned_until) where state = 'banned' and banned_until is not null;
create index discussions_pinned_until on discussions (pinned_until) where pinned_until is not null;

-- To one person, to a mail address, or a link to hand on. Tokens are kept as hashes.
create table group_invitations (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  kind text not null check (kind in ('person', 'address', 'link')),
  person_id uuid references people (id) on delete cascade,
  email text,
  token_hash bytea unique,
  -- Whoever comes with it joins at once, or asks to.
  entry text not null check (entry in ('join', 'ask')),
  made_by uuid not null references people (id) on delete cascade,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0,
  most_uses integer not null default 1,
  revoked_at timestamptz,
  revoked_by uuid references people (id) on delete set null,
  check ((kind = 'person') = (person_id is not null)),
  check ((kind = 'address') = (email is not null)),
  check ((kind = 'person') = (token_hash is null))
);
create index group_invitations_of_group on group_invitations (group_id, made_at desc, id desc);
create index group_invitations_of_maker on group_invitations (made_by, made_at);
create index group_invitations_of_person on group_invitations (person_id) where person_id is not null;
create index group_invitations_expiry on group_invitations (expires_at);

-- What newcomers read first, in this order.
create table group_start_items (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  position integer not null,
  put_by uuid references people (id) on delete set null,
  put_at timestamptz not null,
  check ((discussion_id is null) <> (resource_id is null)),
  unique (group_id, discussion_id),
  unique (group_id, resource_id)
);
