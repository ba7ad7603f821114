import { redirect } from "react-router";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { loadGroupWithPermissions } from "../../groups/page/group-data.ts";
import { urls } from "../../urls.ts";

/**
 * The group of a page below its events. Another spelling of its address redirects to `path`, and viewers who
 * cannot read the group to its page.
 */
export async function loadCalendarGroup(
  db: Db,
  viewer: Viewer,
  { groupId = "", now, path }: { groupId: string | undefined; now: Date; path: (slug: string) => string },
) {
  const { group, can } = await loadGroupWithPermissions(db, viewer, groupId.toLowerCase(), now);
  if (groupId !== group.slug) throw redirect(path(group.slug), isSignedIn(viewer) ? 302 : 301);
  if (!can.read) throw redirect(urls.group(group.slug));
  return group;
}
