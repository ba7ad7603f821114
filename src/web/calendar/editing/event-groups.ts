import { listGroups } from "#community/groups";
import { calendarRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam } from "../../form-parsing.ts";

/** The viewer's groups in which they may create events. `chosen` is the one whose page linked here. */
export async function loadEventGroups(db: Db, viewer: Viewer, url: URL) {
  const { rows } = await listGroups(db, viewer, { tab: "mine" });
  const groups = rows
    .filter((group) => calendarRules.create(viewer, group))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const wanted = readQueryParam(url, "group");
  return { groups, chosen: groups.find(({ slug }) => slug === wanted)?.id ?? groups[0]?.id };
}
