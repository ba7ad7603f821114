-- Somebody, a resource or a group can be reported as a post can. What it showed then is kept beside it as one text, in
-- `reported_messages` under 0; of a group nobody is its author, and whoever looks after it is part of it.
alter table reports
  add column person_id uuid references people (id) on delete set null,
  add column resource_id uuid references resources (id) on delete set null,
  add column group_id uuid references groups (id) on delete set null,
  -- What it is about, whatever that is: ids are not given twice. Null for messages.
  add column about_id uuid generated always as (coalesce(post_id, person_id, resource_id, group_id)) stored,
  add check (num_nonnulls(conversation_id, post_id, person_id, resource_id, group_id) <= 1);
drop index reports_open_of_post;
create unique index reports_open_about on reports (about_id, reporter_id) where about_id is not null and resolved_at is null;
create index reports_about on reports (about_id) where about_id is not null;
create index reports_of_reported_person on reports (person_id) where person_id is not null;
create index reports_of_resource on reports (resource_id) where resource_id is not null;
create index reports_of_group on reports (group_id) where group_id is not null;
