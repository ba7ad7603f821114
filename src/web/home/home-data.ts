import {
  dueBookmarks,
  latestDiscussions,
  siftedLatest,
  siftedToCatchUp,
  siftedTop,
  topDiscussions,
  unreadAndLatest,
} from "#community/discussions";
import { groupsFor } from "#community/groups";
import { countPeople } from "#community/people";
import { besideHome } from "#community/notifications";
import { featuredFor } from "#community/resources";
import { type FilterFacts, groupRules, type SignedIn, sieveOf, sifted, type Viewer } from "#community/rules";
import { becauseRead } from "#community/search";
import type { SiteSettings } from "#community/settings";
import type { Db } from "#platform/database";
import { htmlOf } from "#platform/markup";
import { asked } from "../forms.ts";
import { cardRows } from "../groups/card-rows.ts";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";

const TABS = ["unread", "latest", "top"] as const;
const SPANS = ["week", "month", "year"] as const;
const BESIDE = 12;
const OFFERED = 6;

type Latest = Awaited<ReturnType<typeof latestDiscussions>>;
const beside = ({ rows }: Latest): SidebarData => ({
  group: null,
  rows: rows
    .slice(0, BESIDE)
    .map(({ id, title, unread, firstUnread, locked, mine }) => ({ id, title, unread, firstUnread, pinned: false, locked, mine })),
});

/** Data of a member's home page: unread discussions, tasks, and new resources. */
export async function homeOf(db: Db, viewer: SignedIn, settings: SiteSettings, url: URL, now: Date) {
  const tab = TABS.find((name) => name === asked(url, "tab")) ?? "unread";
  const span = SPANS.find((name) => name === asked(url, "span")) ?? "month";
  const after = tab === "latest" ? asked(url, "after", 1000) : "";
  const [{ unread, latest }, top, { waiting, shelf, featured, filters, here, introductions }, due] = await Promise.all([
    tab === "unread" ? unreadAndLatest(db, viewer) : latestDiscussions(db, viewer, { after }).then((latest) => ({ unread: [], latest })),
    tab === "top" ? topDiscussions(db, viewer, { span, now }) : [],
    besideHome(db, viewer, now, settings.introductions),
    dueBookmarks(db, viewer),
  ]);
  const missed = await siftedToCatchUp(db, viewer, filters, tab === "unread" ? unread : null);
  const listed = tab === "latest" ? await siftedLatest(db, viewer, filters, latest) : null;
  const rows = {
    unread: missed.rows,
    latest: listed?.rows ?? [],
    top: await siftedTop(db, viewer, filters, { span, now, first: top }),
  }[tab];
  const hiding = filters.filter(({ action }) => action === "hide");
  return {
    kind: "member" as const,
    tab,
    span,
    rows,
    /** The number of unread discussions, which may differ from the badge in the menu. */
    missed: missed.count,
    next: listed?.next ?? null,
    waiting,
    // Only loaded when nothing is left to read: it comes after the end of the list.
    because: tab === "unread" && missed.rows.length === 0 ? await nearWhatWasRead(db, viewer, filters, now) : null,
    due: due.map(({ postId, number, discussion, note }) => ({ postId, number, discussion, note })),
    shelf,
    featured,
    here,
    introductions,
    /** Admins name the community and describe its purpose. */
    setsUp: viewer.role === "admin",
    mayCreate: groupRules.create(viewer, settings.whoCreatesGroups),
    sidebar: beside({ ...latest, rows: sifted(hiding, latest.rows, (row) => row.title) }),
  };
}
/** Discussions related to the one read last, without those that the viewer's filters match. */
async function nearWhatWasRead(db: Db, viewer: SignedIn, filters: FilterFacts[], now: Date) {
  const found = await becauseRead(db, viewer, now);
  const sieve = sieveOf(filters);
  const near = found?.near.filter(({ title }) => sieve(title) === null) ?? [];
  return found && sieve(found.title) === null && near.length > 0 ? { ...found, near } : null;
}

export type MemberHomeData = Awaited<ReturnType<typeof homeOf>>;

/**
 * Data of the home page for guests: what this community is, and what is public. A private community only
 * shows its welcome text and ways to sign in.
 */
export async function welcomeOf(db: Db, viewer: Viewer, settings: SiteSettings, now: Date) {
  const { audience, registration } = settings;
  const words = { kind: "guest" as const, registration, welcome: htmlOf(settings.welcome) };
  if (audience === "private") return { ...words, people: null, top: [], groups: [], featured: [], sidebar: undefined };
  const [people, month, groups, latest, featured] = await Promise.all([
    settings.showMemberCount ? countPeople(db) : null,
    topDiscussions(db, viewer, { span: "month", now }),
    groupsFor(db, viewer, { tab: "discover" }),
    latestDiscussions(db, viewer, {}),
    featuredFor(db, viewer),
  ]);
  return { ...words, people, top: month, groups: cardRows(viewer, groups.rows.slice(0, OFFERED), now), featured, sidebar: beside(latest) };
}
export type GuestHomeData = Awaited<ReturnType<typeof welcomeOf>>;
