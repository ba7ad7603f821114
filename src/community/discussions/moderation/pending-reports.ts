import { sql } from "#platform/database";
import { isReportAboutOwnGroup, isGroupModerator } from "#community/groups";
import { joinReportedContent, otherModeratorExists, removerId } from "./reported-posts.ts";

/**
 * Whether the report `r` is pending for the person in the row `who`. SQL equivalent of
 * `reportRules.resolve`.
 */
export const isReportPending = (who: ReturnType<typeof sql>) => sql<boolean>`
  (r.resolved_at is null and (${who}.site_role <> 'member' or exists (
      select from (values (1)) one (report) ${joinReportedContent}
      join memberships m on m.group_id = g.id and m.person_id = ${who}.id
      where r.group_id is null and g.state <> 'deleted' and ${isGroupModerator("m")}))
    and not exists (select from reports theirs where theirs.reporter_id = ${who}.id
      and theirs.case_id = r.case_id and theirs.resolved_at is null)
    and not (r.appeal and exists (
      select from (values (1)) one (report) ${joinReportedContent}
      where ${removerId} = ${who}.id and ${otherModeratorExists(sql`${who}.id`)}))
    and not ${isReportAboutOwnGroup(sql`${who}.id`, "r")}
    and not exists (select from reports same join reported_messages theirs on theirs.report_id = same.id
      where same.case_id = r.case_id and same.resolved_at is null and theirs.author_id = ${who}.id))`;
