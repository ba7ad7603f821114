import { one, sql, type Tx } from "#platform/database";
import { joinContentContainer } from "#community/discussions";
import { isGroupModerator } from "#community/groups";
import { reportRules, type Viewer } from "#community/rules";

/**
 * Whether the undecided reports of members have enough weight to hide the post or resource. Reports from before
 * it was last shown again do not count.
 */
export async function isReportedEnough(
  tx: Tx,
  about: { postId: string } | { resourceId: string },
): Promise<boolean> {
  const { reporting, leads } = await one(
    tx,
    sql<{ reporting: Pick<Viewer, "trust" | "limited">[]; leads: boolean }>`
      select author.site_role <> 'member' or ${isGroupModerator("m")} as leads,
        (select coalesce(json_agg(json_build_object('trust', who.trust, 'limited', who.state <> 'active')),
          '[]')
         from reports r join people who on who.id = r.reporter_id
         where r.about_id = x.id and not r.appeal and r.resolved_at is null
           and (x.unhidden_at is null or r.created_at > x.unhidden_at)) as reporting
      from ${"postId" in about ? reportedPost(about.postId) : reportedResource(about.resourceId)}
      join people author on author.id = x.author_id left
      join memberships m on m.group_id = x.group_id and m.person_id = author.id`,
  );
  return reportRules.hides(reporting, { leads });
}

const reportedPost = (postId: string) => sql`(
  select p.id, p.author_id, p.unhidden_at, g.id as group_id
  from posts p ${joinContentContainer("p", "d", "s", "g")} where p.id = ${postId}) x`;

const reportedResource = (resourceId: string) => sql`(
  select id, owner_id as author_id, unhidden_at, group_id from resources where id = ${resourceId}) x`;
