-- Whom a post has called stays known when a change takes the name out of it: a post calls so many, however often it is changed.
alter table post_mentions add column dropped_at timestamptz;
