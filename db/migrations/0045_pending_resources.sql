-- New resources wait for approval beside new posts. A site-wide resource has no group.
alter table pending_posts drop constraint pending_posts_check, add constraint pending_posts_container_check check (
  num_nonnulls(group_id, discussion_id, resource_id) = 1
  or (num_nonnulls(group_id, discussion_id, resource_id) = 0 and said->'resource' is not null));
comment on table pending_posts is 'New posts, events and resources that wait for approval.';
comment on column pending_posts.said is
  'The fields as they were sent. event: of the event that a discussion describes. resource: of a new resource.';
create index pending_posts_site_wide on pending_posts (created_at)
  where (num_nonnulls(group_id, discussion_id, resource_id) = 0);
