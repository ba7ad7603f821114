import { discussionsOf, sidebarOf } from "#community/discussions";
import { type Group, groupFor, heirStanding, membersOf, relatedGroups, rulesBefore, startOf } from "#community/groups";
import { collectionsFor, resourcesFor } from "#community/resources";
import { groupRules, type Viewer, shelfRules } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

const TABS = ["discussions", "resources", "members", "about"] as const;
export type GroupTab = (typeof TABS)[number];
const SORTS = ["activity", "new", "top"] as const;
const WHO = ["leading", "friends"] as const;
const FILTERS = ["unanswered", "mine", "archived", "deleted"] as const;

/** Query parameters of a group's page. */
function queryOf(url: URL) {
  return {
    filter: FILTERS.find((name) => name === asked(url, "filter")),
    sort: SORTS.find((name) => name === asked(url, "sort")) ?? "activity",
    tag: asked(url, "tag", 40) || undefined,
    search: asked(url, "search") || undefined,
    who: WHO.find((name) => name === asked(url, "who")),
    /** `all`: with earlier versions of the rules. */
    rules: asked(url, "rules", 10),
    after: asked(url, "after", 1000) || undefined,
  };
}
export type GroupQuery = ReturnType<typeof queryOf>;

/** Everything that a group's page shows to this viewer, in the requested tab if it is open to them. */
export async function groupPage(db: Db, viewer: Viewer, idOrSlug: string, url: URL, now: Date) {
  const group = saysNoUntil(await groupFor(db, viewer, idOrSlug), now);
  const may = mayDo(viewer, group, now);
  const query = queryOf(url);
  const tab = tabFor(asked(url, "tab"), may);
  const starts = may.read && !query.filter && !query.tag && !query.after && (tab === "discussions" || tab === "about");
  const [content, rows, start] = await Promise.all([
    contentOf(db, viewer, group, tab, { ...query, now }),
    may.read ? sidebarOf(db, viewer, group) : null,
    starts ? startOf(db, viewer, group) : [],
  ]);
  return { group, may, query, content, start, sidebar: rows ? { group: { slug: group.slug, name: group.name }, rows } : undefined };
}

/**
 * If an invitation after a declined request has ended, the decline is shown for as long as it is in effect.
 */
const saysNoUntil = (group: Group, now: Date): Group =>
  group.viewerState !== "declined" && group.askAgainAt && group.askAgainAt <= now ? { ...group, askAgainAt: null } : group;

export type GroupData = Awaited<ReturnType<typeof groupPage>>;

const mayDo = (viewer: Viewer, group: Group, now: Date) => ({
  read: groupRules.read(viewer, group),
  seeMembers: groupRules.seeMembers(viewer, group),
  join: groupRules.join(viewer, group),
  ask: groupRules.ask(viewer, group, now),
  leave: groupRules.leave(viewer, group),
  start: groupRules.start(viewer, group),
  addResource: groupRules.addResource(viewer, group),
  makeShelf: shelfRules.make(viewer, group),
  manageMembers: groupRules.seeMembers(viewer, group) && groupRules.remove(viewer, group, { id: "", role: null }),
  manage: groupRules.admit(viewer, group) || groupRules.close(viewer, group),
  restore: groupRules.moderate(viewer, group),
  invite: groupRules.invite(viewer, group),
  report: groupRules.report(viewer, group),
  inspect: groupRules.inspect(viewer, group),
  readsFrom: groupRules.readsFrom(group, { audience: "group" }),
});

function tabFor(wanted: string, may: ReturnType<typeof mayDo>): GroupTab {
  const open = { discussions: may.read, resources: may.read, members: may.seeMembers, about: true };
  const tab = TABS.find((name) => name === wanted);
  if (tab && open[tab]) return tab;
  return may.read ? "discussions" : "about";
}

async function contentOf(db: Db, viewer: Viewer, group: Group, tab: GroupTab, query: GroupQuery & { now: Date }) {
  const { after, search, who } = query;
  switch (tab) {
    case "discussions": {
      const filter = query.tag ? { tag: query.tag } : query.filter;
      return { tab, ...(await discussionsOf(db, viewer, group, { after, sort: query.sort, filter })) };
    }
    case "resources":
      return {
        tab,
        ...(await resourcesFor(db, viewer, { group: group.id, after })),
        shelves: after ? [] : await collectionsFor(db, viewer, { group: group.id }),
      };
    case "members":
      return { tab, ...(await membersOf(db, viewer, group, { after, search, who })) };
    case "about": {
      const [before, related, heir] = await Promise.all([
        query.rules === "all" ? rulesBefore(db, viewer, group) : null,
        relatedGroups(db, viewer, group),
        heirStanding(db, viewer, group, query.now),
      ]);
      return { tab, before, related, heir };
    }
  }
}
export type GroupContent<T extends GroupTab> = Extract<GroupData["content"], { tab: T }>;
