-- What programs keep of people besides, for the columns that stand for it; who finds it, stands with the other columns of Users.
create or replace view published.users as
select p.id as object_id, p.created_at as created, p.updated_at as updated, p.id as owner_id, p.display_name as name, p.username,
  p.site_role as role, p.email, p.state as user_status, p.locale, p.pronouns, p.location, p.bio_md as bio, p.photo_id, p.seen_at, p.properties
from people p;
