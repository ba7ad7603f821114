import { sql } from "#platform/database";

/** SQL condition that the group `g` is exported. Deleted groups are not. */
export const isGroupExported = sql`g.state <> 'deleted'`;
export const discussionExported = sql`join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
  join groups g on g.id = d.group_id and ${isGroupExported}`;
export const resourceExported = sql`(r.group_id is null
  or exists (select from groups g where g.id = r.group_id and ${isGroupExported}))`;
export const postExported = sql`and case
  when p.discussion_id is not null then exists (select from discussions d
    join groups g on g.id = d.group_id and ${isGroupExported}
    where d.id = p.discussion_id and d.state <> 'deleted')
  else exists (select from resources r where r.id = p.resource_id and ${resourceExported}) end`;
