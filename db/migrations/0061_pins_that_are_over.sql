-- A pin is over at its end, for programs too, also before the job has come that takes it away.
create or replace view published.discussions as
select d.id as object_id, d.created_at as created, d.last_post_at as updated, d.author_id as owner_id, d.group_id, d.title, to_jsonb(d.tags) as tags,
  d.language, d.state, d.locked_at is not null as locked, d.locked_reason, d.pinned_at is not null and coalesce(d.pinned_until > now(), true) as pinned,
  d.resolved_at is not null as resolved, d.answer_id, greatest(d.posts_count - 1, 0) as replies, d.last_number, d.last_post_at
from discussions d;
