-- Texts of a new member's profile wait for approval beside new posts and resources.
alter table pending_posts drop constraint pending_posts_container_check, add constraint pending_posts_container_check check (
  num_nonnulls(group_id, discussion_id, resource_id) = 1
  or (num_nonnulls(group_id, discussion_id, resource_id) = 0
    and (said->'resource' is not null or said->'profile' is not null)));
create unique index pending_posts_profile on pending_posts (author_id, (returned_at is null))
  where (said->'profile' is not null);
comment on table pending_posts is 'New posts, events, resources and profile texts that wait for approval.';
comment on column pending_posts.said is
  'The fields as they were sent. event: of the event that a discussion describes. resource: of a new resource. profile: texts of the author''s profile.';
