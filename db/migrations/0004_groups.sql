-- Groups, memberships and invitations.

create table groups (
  id uuid primary key,
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{1,59}$') unique,
  name text not null check (char_length(name) between 2 and 60),
  purpose text not null default '' check (char_length(purpose) <= 200),
  about_md text not null default '',
  about_html text not null default '',
  topic text not null default '',
  visibility text not null check (visibility in ('public', 'private', 'secret')),
  join_policy text not null check (join_policy in ('open', 'request', 'invite')),
  history_policy text not null default 'shared' check (history_policy in ('shared', 'from_joining')),
  state text not null default 'active' check (state in ('pending', 'active', 'archived', 'deleted')),
  header_style text not null default 'meadow',
  header_id uuid,
  rules jsonb not null default '[]',
  questions jsonb not null default '[]',
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  archived_at timestamptz,
  last_active_at timestamptz not null,
  members_count integer not null default 0,
  starts_by text not null default 'members' check (starts_by in ('members', 'moderators')),
  invites_by text not null default 'members' check (invites_by in ('members', 'moderators')),
  rules_version integer not null default 1,
  rules_changed_at timestamptz,
  photo_id uuid,
  photo_alt text not null default '',
  header_alt text not null default '',
  archived_by uuid references people (id) on delete set null,
  deleted_at timestamptz,
  deleted_by uuid references people (id) on delete set null,
  owner_requested_at timestamptz,
  owner_requested_by uuid references people (id) on delete set null,
  wider_visibility text check (wider_visibility in ('private', 'public')),
  wider_join_policy text check (wider_join_policy in ('open', 'request', 'invite')),
  wider_at timestamptz,
  wider_by uuid references people (id) on delete set null,
  renamed integer not null default 0,
  renamed_since timestamptz,
  shared_from timestamptz,
  replies_by text not null default 'members' check (replies_by in ('members', 'readers')),
  check ((visibility <> 'secret') or (join_policy = 'invite')),
  constraint groups_check1 check (((wider_at is null) = (wider_visibility is null)) and ((wider_at is null) = (wider_join_policy is null))),
  constraint groups_shared_from check ((shared_from is null) or (history_policy = 'shared'))
);
create index groups_by_activity on groups (last_active_at desc, id) where (state <> 'deleted');
create index groups_words on groups using gin (to_tsvector('simple'::regconfig, ((name || ' ') || purpose)));
create index groups_deleted on groups (deleted_at) where (deleted_at is not null);
create index groups_scheduled_visibility on groups (wider_at) where (wider_at is not null);
create index groups_pending on groups (created_at)
  where ((state = 'pending') or (owner_requested_at is not null));
create index groups_by_members on groups (members_count desc, id desc) where (state = 'active');
create index groups_by_age on groups (created_at desc, id desc) where (state = 'active');
create index groups_by_name on groups (lower(name), id) where (state = 'active');
create index groups_archived_by on groups (archived_by) where (archived_by is not null);
create index groups_wider_by on groups (wider_by) where (wider_by is not null);
create index groups_owner_requested_by on groups (owner_requested_by) where (owner_requested_by is not null);
create index groups_deleted_by on groups (deleted_by) where (deleted_by is not null);
create index groups_created_by on groups (created_by) where (created_by is not null);
create index groups_with_photo on groups (photo_id) where (photo_id is not null);
create index groups_with_header on groups (header_id) where (header_id is not null);
comment on table groups is 'Groups.';
comment on column groups.state is 'pending, active, archived or deleted.';
comment on column groups.starts_by is 'Who starts discussions.';
comment on column groups.invites_by is 'Who invites.';
comment on column groups.rules_version is 'Counts changes of the rules.';
comment on column groups.owner_requested_at is 'When a member asked staff for a new owner.';
comment on column groups.wider_at is 'When a scheduled visibility change takes effect.';
comment on column groups.shared_from is 'New members read posts from then on, after the history policy was widened.';
comment on column groups.replies_by is 'Who replies: members, or readers of a public group too.';

create table group_rule_versions (
  group_id uuid references groups (id) on delete cascade,
  version integer,
  rules jsonb not null,
  replaced_at timestamptz not null,
  replaced_by uuid references people (id) on delete set null,
  primary key (group_id, version)
);
create index group_rule_versions_replaced_by on group_rule_versions (replaced_by)
  where (replaced_by is not null);
comment on table group_rule_versions is 'Earlier rules of groups.';

create table memberships (
  group_id uuid references groups (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  state text not null check (state in ('requested', 'invited', 'member', 'declined', 'withdrawn', 'refused', 'expired', 'left', 'removed', 'banned')),
  role text not null default 'member' check (role in ('member', 'moderator', 'owner')),
  answers jsonb not null default '[]',
  invited_by uuid references people (id) on delete set null,
  notify_level text not null default 'highlights' check (notify_level in ('all', 'highlights', 'mentions', 'mute')),
  banned_until timestamptz,
  joined_at timestamptz,
  changed_at timestamptz not null,
  reason text not null default '' check (char_length(reason) <= 300),
  pinned_at timestamptz,
  banned_by uuid references people (id) on delete set null,
  appeal text not null default '' check (char_length(appeal) <= 2000),
  appealed_at timestamptz,
  appeal_answer text not null default '' check (char_length(appeal_answer) <= 300),
  appeal_declined_at timestamptz,
  export_requested_at timestamptz,
  primary key (group_id, person_id),
  check ((state <> 'member') or (joined_at is not null)),
  constraint memberships_check1 check ((appealed_at is null) or (state = 'banned')),
  constraint memberships_check2 check ((appeal_declined_at is null) or (appealed_at is not null))
);
create index memberships_of_person on memberships (person_id, state);
create index memberships_of_group on memberships (group_id, state, role);
create index memberships_in_order on memberships (group_id, role desc, joined_at desc, person_id desc)
  where (state = 'member');
create index memberships_banned on memberships (banned_until)
  where ((state = 'banned') and (banned_until is not null));
create index memberships_appealing on memberships (group_id)
  where ((appealed_at is not null) and (appeal_declined_at is null));
create index memberships_exporting on memberships (export_requested_at)
  where (export_requested_at is not null);
create index memberships_invited_by on memberships (invited_by) where (invited_by is not null);
create index memberships_banned_by on memberships (banned_by) where (banned_by is not null);
comment on table memberships is 'People in groups: members, requests, invitations, bans.';
comment on column memberships.state is 'requested, invited, member, left, removed, declined or banned.';
comment on column memberships.answers is 'Answers to the questions of the group.';
comment on column memberships.appeal is 'Text of a ban appeal.';
comment on column memberships.export_requested_at is 'When an owner last requested an export.';

create table decided_join_requests (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  asked_at timestamptz not null,
  answers jsonb not null,
  outcome text not null check (outcome in ('member', 'declined', 'withdrawn', 'banned')),
  reason text not null default '',
  decided_at timestamptz not null,
  decided_by uuid references people (id) on delete set null
);
create index decided_join_requests_of_group on decided_join_requests (group_id, decided_at desc, id desc);
create index decided_join_requests_of_person on decided_join_requests (person_id);
create index decided_join_requests_by_age on decided_join_requests (decided_at);
create index decided_join_requests_by on decided_join_requests (decided_by) where (decided_by is not null);
comment on table decided_join_requests is 'Join requests that were decided, for two years.';

create table group_invitations (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  kind text not null check (kind in ('person', 'address', 'link')),
  person_id uuid references people (id) on delete cascade,
  email text,
  token_hash bytea unique,
  entry text not null check (entry in ('join', 'ask')),
  created_by uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0,
  most_uses integer not null default 1,
  revoked_at timestamptz,
  revoked_by uuid references people (id) on delete set null,
  declined_at timestamptz,
  check ((kind = 'person') = (person_id is not null)),
  constraint group_invitations_check1 check ((kind = 'address') = (email is not null)),
  constraint group_invitations_check2 check ((kind = 'person') = (token_hash is null)),
  constraint group_invitations_check3 check ((declined_at is null) or (revoked_at is not null))
);
create index group_invitations_of_group on group_invitations (group_id, created_at desc, id desc);
create index group_invitations_of_creator on group_invitations (created_by, created_at);
create index group_invitations_of_person on group_invitations (person_id) where (person_id is not null);
create index group_invitations_expiry on group_invitations (expires_at);
create index group_invitations_revoked_by on group_invitations (revoked_by) where (revoked_by is not null);
comment on table group_invitations is 'Invitations by mail or link.';
comment on column group_invitations.entry is 'join: at once; ask: with approval.';

create table invited_registrations (
  invitation_id uuid references group_invitations (id) on delete cascade,
  who_hash bytea,
  person_id uuid not null,
  at timestamptz not null,
  primary key (invitation_id, who_hash)
);
create index invited_registrations_of_person on invited_registrations (person_id);
comment on table invited_registrations is 'Registrations that use up a place of an invitation link.';
comment on column invited_registrations.who_hash is 'Hash of token and address.';

create table group_exports (
  id uuid primary key,
  group_id uuid references groups (id) on delete set null,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz not null,
  too_large boolean not null default false,
  hash text,
  size bigint,
  check ((hash is null) = (size is null)),
  constraint group_exports_check1 check ((hash is null) or (ready_at is not null)),
  constraint group_exports_check2 check ((not too_large) or (ready_at is null))
);
create index group_exports_of_group on group_exports (group_id, created_at desc);
create index group_exports_of_person on group_exports (person_id);
create index group_exports_expiry on group_exports (expires_at);
comment on table group_exports is 'Archives of groups requested by owners.';
comment on column group_exports.too_large is 'The group exceeds what an archive may hold.';

create table inspections (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  reason text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at >= started_at)
);
create index inspections_of_person on inspections (person_id, group_id, ends_at desc);
create index inspections_of_group on inspections (group_id, started_at desc);
comment on table inspections is 'Admins reading a private group, for an hour each.';
