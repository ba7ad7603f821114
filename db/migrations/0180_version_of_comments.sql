-- API clients change comments from the version that they have read.
create or replace view published.comments as
select p.id as object_id, p.created_at as created, p.edited_at as updated, p.author_id as owner_id, a.display_name as author_name, p.resource_id, r.group_id,
  p.number, p.body_md as text, p.state, p.state as stub, p.version
from posts p join resources r on r.id = p.resource_id join people a on a.id = p.author_id;
