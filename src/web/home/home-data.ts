import {
  listDueBookmarks,
  listLatestDiscussions,
  filterLatest,
  filterUnread,
  filterTop,
  listTopDiscussions,
  listUnreadAndLatest,
} from "#community/discussions";
import { listEvents } from "#community/calendar";
import { listGroups } from "#community/groups";
import { countPeople } from "#community/accounts";
import { getHomeSidebar, type UpcomingEvent } from "#community/notifications";
import { listFeaturedResources } from "#community/resources";
import {
  type FilterFacts,
  groupRules,
  isSignedIn,
  type SignedIn,
  createFilterMatcher,
  applyFilters,
  type Viewer,
} from "#community/rules";
import { recommendFromReading } from "#community/search";
import type { SiteSettings } from "#community/settings";
import { getSetupChecklist } from "#community/setup";
import type { Db } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { readQueryParam } from "../form-parsing.ts";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { toCardRows } from "../groups/discover/group-card-rows.ts";
import type { RequestContext } from "../request-context.ts";
import { makeFirstSteps } from "./make-first-steps.ts";
import { makeChecklistTexts } from "../setup/checklist-items.ts";

const TABS = ["unread", "latest", "top"] as const;
const SPANS = ["week", "month", "year"] as const;
const SUGGESTED_COUNT = 6;
const EVENTS_COUNT = 4;

/** The next public events, for guests. */
async function loadPublicEvents(ctx: RequestContext, viewer: Viewer) {
  const { rows } = await listEvents(ctx.app.db, viewer, { from: ctx.now, size: EVENTS_COUNT });
  return rows.map((event) => toEventSummary(ctx, event));
}

/**
 * Times are written on the server, in the member's time zone, for guests in the event's, since cached pages are
 * the same for all guests. Cancelled events have none.
 */
const toEventSummary = (
  { locale, viewer, timeZone }: RequestContext,
  { id, eventId, title, startsAt, allDay, cancelledAt, ...event }: UpcomingEvent,
) => ({
  id,
  eventId,
  title,
  when: cancelledAt
    ? null
    : dateFormat(locale, {
        weekday: "short",
        day: "numeric",
        month: "short",
        ...(!allDay && { hour: "numeric", minute: "2-digit" }),
        timeZone: allDay || !isSignedIn(viewer) ? event.timeZone : timeZone,
      }).format(startsAt),
});
export type EventSummary = ReturnType<typeof toEventSummary>;

/** Data of a member's home page: unread discussions, tasks and new resources. */
export async function loadMemberHome(
  ctx: RequestContext,
  viewer: SignedIn,
  settings: SiteSettings,
  url: URL,
) {
  const { app, now } = ctx;
  const { db } = app;
  const tab = TABS.find((name) => name === readQueryParam(url, "tab")) ?? "unread";
  const span = SPANS.find((name) => name === readQueryParam(url, "span")) ?? "month";
  const after = tab === "latest" ? readQueryParam(url, "after", 1000) : "";
  const [
    { unread, latest },
    top,
    { waiting, newResources, featured, events, filters, onlineFriends, introductions, isInGroup },
    due,
    checklist,
  ] = await Promise.all([
    tab === "unread"
      ? listUnreadAndLatest(db, viewer)
      : listLatestDiscussions(db, viewer, { after }).then((found) => ({ unread: [], latest: found })),
    tab === "top" ? listTopDiscussions(db, viewer, { span, now }) : [],
    getHomeSidebar(db, viewer, now, settings.introductions),
    listDueBookmarks(db, viewer),
    getSetupChecklist(db, viewer, settings, app),
  ]);
  const missed = await filterUnread(db, viewer, filters, tab === "unread" ? unread : null);
  const listed = tab === "latest" ? await filterLatest(db, viewer, filters, latest) : null;
  const rows = {
    unread: missed.rows,
    latest: listed?.rows ?? [],
    top: await filterTop(db, viewer, filters, { span, now, first: top }),
  }[tab];
  const canCreate = groupRules.create(viewer, settings.whoCreatesGroups);
  return {
    kind: "member" as const,
    tab,
    span,
    rows,
    /** The number of unread discussions. The badge in the menu may show another number. */
    missed: missed.count,
    next: listed?.next ?? null,
    waiting,
    // Related discussions are shown after the end of the list, so they are loaded only if nothing is unread.
    because:
      tab === "unread" && missed.rows.length === 0 ? await findRelated(db, viewer, filters, now) : null,
    due: due.map(({ postId, number, discussion, note }) => ({ postId, number, discussion, note })),
    newResources,
    featured,
    onlineFriends,
    checklist: checklist && makeChecklistTexts(ctx, checklist),
    firstSteps:
      checklist || isInGroup
        ? null
        : makeFirstSteps(ctx, {
            introductions,
            discussions: applyFilters(
              filters.filter(({ action: does }) => does === "hide"),
              latest.rows,
              (row) => row.title,
            ),
            canCreate,
          }),
    events: events.map((event) => toEventSummary(ctx, event)),
  };
}
/** Finds discussions related to the one read last, without those that the viewer's filters match. */
async function findRelated(db: Db, viewer: SignedIn, filters: FilterFacts[], now: Date) {
  const found = await recommendFromReading(db, viewer, now);
  const sieve = createFilterMatcher(filters);
  const near = found?.near.filter(({ title }) => sieve(title) === null) ?? [];
  return found && sieve(found.title) === null && near.length > 0 ? { ...found, near } : null;
}

export type MemberHomeData = Awaited<ReturnType<typeof loadMemberHome>>;

/**
 * Data of the home page for guests: the community's description and public content. For a private community,
 * only its welcome text and the ways to sign in.
 */
export async function loadGuestHome(ctx: RequestContext, viewer: Viewer, settings: SiteSettings) {
  const { app, now } = ctx;
  const { db } = app;
  const { audience, registration } = settings;
  const words = { kind: "guest" as const, registration, welcome: renderMarkdown(settings.welcome) };
  if (audience === "private")
    return { ...words, people: null, top: [], groups: [], featured: [], events: [] };
  const [people, month, groups, events, featured] = await Promise.all([
    settings.showMemberCount ? countPeople(db) : null,
    listTopDiscussions(db, viewer, { span: "month", now }),
    listGroups(db, viewer, { tab: "discover" }),
    loadPublicEvents(ctx, viewer),
    listFeaturedResources(db, viewer),
  ]);
  return {
    ...words,
    people,
    top: month,
    groups: toCardRows(viewer, groups.rows.slice(0, SUGGESTED_COUNT), now),
    featured,
    events,
  };
}
export type GuestHomeData = Awaited<ReturnType<typeof loadGuestHome>>;
