-- What changing a resource asks for: how often it has been changed, and who changes it.
create or replace view published.resources as
select r.id as object_id, r.created_at as created, r.updated_at as updated, r.keeper_id as owner_id, r.group_id, r.kind, r.title, r.why, r.url, r.site_name,
  r.body_md as text, to_jsonb(r.tags) as tags, r.language, r.licence, r.state, r.health, r.version, r.comments_count, r.edits_by, r.changes
from resources r;
