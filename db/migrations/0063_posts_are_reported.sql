-- A post or a comment can be reported as messages can. What it said then is kept beside it, in `reported_messages` under its
-- number; whose it is to look at follows from where it stands by now.
alter table reports add column post_id uuid references posts (id) on delete set null;
create unique index reports_open_of_post on reports (post_id, reporter_id) where post_id is not null and resolved_at is null;
create index reports_of_post on reports (post_id) where post_id is not null;
