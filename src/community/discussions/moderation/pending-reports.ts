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

/**
 * People who may know of the report and decide it, apart from whether it was decided: staff and moderators of its
 * place, without those whom its case involves. Selects `person_id`.
 */
export const reportModerators = (reportId: ReturnType<typeof sql>) => sql`
  select p.id as person_id from reports r join cases c on c.id = r.case_id join people p on p.state = 'active'
    and (p.site_role <> 'member' or exists (select from memberships m where m.group_id = c.group_id
      and m.person_id = p.id and m.state = 'member' and m.role <> 'member'))
  where r.id = ${reportId}
    and not exists (select from reports own where own.case_id = c.id and own.reporter_id = p.id)
    and not exists (select from reports same join reported_messages own on own.report_id = same.id
      where same.case_id = c.id and own.author_id = p.id)
    and not ${isReportAboutOwnGroup(sql`p.id`, "r")}
    and not (r.appeal and exists (
      select from (values (1)) one (report) ${joinReportedContent} where ${removerId} = p.id))`;
