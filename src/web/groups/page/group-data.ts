import { listDiscussions } from "#community/discussions";
import {
  type Group,
  getGroup,
  getOwnerRequestState,
  listMembers,
  listRelatedGroups,
  listPreviousRules,
  listStartItems,
} from "#community/groups";
import { listCollections, listResources } from "#community/resources";
import { groupRules, type Viewer, collectionRules } from "#community/rules";
import type { Db } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { readQueryParam } from "../../form-parsing.ts";

const TABS = ["discussions", "resources", "members", "about"] as const;
export type GroupTab = (typeof TABS)[number];
const SORTS = ["activity", "new", "top"] as const;
const MEMBER_FILTERS = ["leading", "friends"] as const;
const FILTERS = ["unanswered", "mine", "archived", "deleted"] as const;

/** Reads the query parameters of a group's page. */
function parseGroupQuery(url: URL) {
  return {
    filter: FILTERS.find((name) => name === readQueryParam(url, "filter")),
    sort: SORTS.find((name) => name === readQueryParam(url, "sort")) ?? "activity",
    tag: readQueryParam(url, "tag", 40) || undefined,
    search: readQueryParam(url, "search") || undefined,
    who: MEMBER_FILTERS.find((name) => name === readQueryParam(url, "who")),
    /** `all` also lists earlier versions of the rules. */
    rules: readQueryParam(url, "rules", 10),
    after: readQueryParam(url, "after", 1000) || undefined,
  };
}
export type GroupQuery = ReturnType<typeof parseGroupQuery>;

const ABOUT_LENGTH = 300;

/** Loads a group with the beginning of its description and the viewer's permissions. */
export async function loadGroupWithPermissions(db: Db, viewer: Viewer, idOrSlug: string, now: Date) {
  const group = hideExpiredDecline(await getGroup(db, viewer, idOrSlug), now);
  const about = createExcerpt(group.aboutHtml, ABOUT_LENGTH);
  return { group, about, can: getPermissions(viewer, group, now) };
}

/** All data of a group's page for this viewer, with the requested tab if the viewer may open it. */
export async function loadGroupPage(db: Db, viewer: Viewer, idOrSlug: string, url: URL, now: Date) {
  const { group, about, can } = await loadGroupWithPermissions(db, viewer, idOrSlug, now);
  const query = parseGroupQuery(url);
  const tab = chooseTab(readQueryParam(url, "tab"), can);
  const starts =
    can.read && !query.filter && !query.tag && !query.after && (tab === "discussions" || tab === "about");
  const [content, start] = await Promise.all([
    loadTab(db, viewer, group, tab, { ...query, now }),
    starts ? listStartItems(db, viewer, group) : [],
  ]);
  return {
    group,
    can,
    query,
    content,
    start,
    about,
  };
}

/**
 * Removes the date from which the viewer may ask again after a declined request, once that date has passed.
 */
const hideExpiredDecline = (group: Group, now: Date): Group =>
  group.viewerState !== "declined" && group.askAgainAt && group.askAgainAt <= now
    ? { ...group, askAgainAt: null }
    : group;

export type GroupData = Awaited<ReturnType<typeof loadGroupPage>>;

const getPermissions = (viewer: Viewer, group: Group, now: Date) => ({
  read: groupRules.read(viewer, group),
  seeMembers: groupRules.seeMembers(viewer, group),
  join: groupRules.join(viewer, group),
  ask: groupRules.ask(viewer, group, now),
  leave: groupRules.leave(viewer, group),
  start: groupRules.start(viewer, group),
  addResource: groupRules.addResource(viewer, group),
  createCollection: collectionRules.make(viewer, group),
  manageMembers:
    groupRules.seeMembers(viewer, group) && groupRules.remove(viewer, group, { id: "", role: null }),
  manage: groupRules.approveMembers(viewer, group) || groupRules.close(viewer, group),
  restore: groupRules.moderate(viewer, group),
  invite: groupRules.invite(viewer, group),
  report: groupRules.report(viewer, group),
  inspect: groupRules.inspect(viewer, group),
  readsFrom: groupRules.readsFrom(group, { audience: "group" }),
});

function chooseTab(wanted: string, can: ReturnType<typeof getPermissions>): GroupTab {
  const open = { discussions: can.read, resources: can.read, members: can.seeMembers, about: true };
  const tab = TABS.find((name) => name === wanted);
  if (tab && open[tab]) return tab;
  return can.read ? "discussions" : "about";
}

async function loadTab(
  db: Db,
  viewer: Viewer,
  group: Group,
  tab: GroupTab,
  query: GroupQuery & { now: Date },
) {
  const { after, search, who } = query;
  switch (tab) {
    case "discussions": {
      const filter = query.tag ? { tag: query.tag } : query.filter;
      return { tab, ...(await listDiscussions(db, viewer, group, { after, sort: query.sort, filter })) };
    }
    case "resources":
      return {
        tab,
        ...(await listResources(db, viewer, { group: group.id, after })),
        collections: after ? [] : await listCollections(db, viewer, { group: group.id }),
      };
    case "members":
      return { tab, ...(await listMembers(db, viewer, group, { after, search, who })) };
    case "about": {
      const [before, related, successor] = await Promise.all([
        query.rules === "all" ? listPreviousRules(db, viewer, group) : null,
        listRelatedGroups(db, viewer, group),
        getOwnerRequestState(db, viewer, group, query.now),
      ]);
      return { tab, before, related, successor };
    }
  }
}
export type GroupContent<T extends GroupTab> = Extract<GroupData["content"], { tab: T }>;
