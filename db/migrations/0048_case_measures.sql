-- Decisions of a case: warning, request for changes, slow mode or lock of the discussion, and group ban.

alter table cases add column reason text not null default '' check (char_length(reason) <= 300),
  drop constraint cases_action_check, add constraint cases_action_check check (action in (
    'none', 'noted', 'warned', 'returned', 'slowed', 'locked', 'banned', 'removed', 'archived', 'limited',
    'suspended', 'restored', 'kept'));
comment on column cases.reason is 'Reason of the decision on the reports, as the author reads it, without the rule.';

alter table posts add column returned_at timestamptz;
comment on column posts.returned_at is
  'When a moderator asked for changes. The post is hidden until a moderator has reviewed the changes.';
alter table pending_posts add column post_id uuid references posts (id) on delete cascade;
create unique index pending_posts_of_post on pending_posts (post_id) where (post_id is not null);
comment on column pending_posts.post_id is
  'Hidden post that was returned to its author for changes, or whose changes wait for approval.';

-- The moderators of the place where the post is now review its changes.
create function move_pending_post() returns trigger language plpgsql as $$
begin
  update pending_posts set discussion_id = new.discussion_id where post_id = new.id;
  return null;
end $$;
create trigger posts_move_pending after update of discussion_id on posts for each row
  when (old.discussion_id is distinct from new.discussion_id and old.returned_at is not null)
  execute function move_pending_post();

alter table discussions add column slow_until timestamptz;
create index discussions_slow_until on discussions (slow_until) where (slow_until is not null);
comment on column discussions.slow_until is 'End of slow mode. Null: until a moderator turns it off.';

-- The reason of a decision starts with the rule that it cites.
alter table memberships drop constraint memberships_reason_check,
  add constraint memberships_reason_check check (char_length(reason) <= 1301) not valid;

create index audit_events_of_warned_person on audit_events (((details ->> 'personId')), at desc)
  where (act = 'case.warned');
