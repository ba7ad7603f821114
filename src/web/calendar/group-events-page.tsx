import { redirect } from "react-router";
import { calendarRules, datePollRules, isSignedIn } from "#community/rules";
import { loadGroupWithPermissions } from "../groups/page/group-data.ts";
import type { ShellHandle } from "../layouts/default.tsx";
import { GroupAside } from "../groups/page/group-aside.tsx";
import { GroupTabs } from "../groups/page/group-tabs.tsx";
import { ButtonLink, PageHeader, pageMeta } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { addCacheTags, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/group-events-page";
import { loadEventList } from "./lists/event-list-data.ts";
import { EventList } from "./lists/event-list.tsx";

export const loader = defineLoader(async ({ ctx, viewer, db, url, params }) => {
  const { group, about, can } = await loadGroupWithPermissions(
    db,
    viewer,
    params["groupId"]!.toLowerCase(),
    ctx.now,
  );
  const { id, slug } = group;
  if (params["groupId"] !== slug)
    throw redirect(urls.groupEvents(slug) + url.search, isSignedIn(viewer) ? 302 : 301);
  if (!can.read) throw redirect(urls.group(slug));
  addCacheTags(ctx, `group:${id}`, "events");
  return {
    group,
    can,
    about,
    canCreate: calendarRules.create(viewer, group),
    canPoll: datePollRules.create(viewer, group),
    canSubscribe: calendarRules.subscribe(viewer, group),
    list: await loadEventList(db, viewer, url, ctx, { group: id }),
  };
});

export const handle: ShellHandle<Route.ComponentProps["loaderData"]> = {
  aside: (data) => <GroupAside data={data} />,
};

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ group, list }, t) => ({
  title: `${t("Events", undefined, "calendar")} · ${group.name}`,
  description: group.purpose || undefined,
  canonical: urls.groupEvents(group.slug),
  hidden: group.visibility !== "public" || list.view !== "agenda",
}));

export default function GroupEventsPage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const { group, canCreate, canPoll, canSubscribe, list } = data;
  const create = canCreate && (
    <span className="inline-flex flex-wrap gap-2">
      {canPoll && <ButtonLink to={urls.newDatePoll(group.slug)}>{t("Find a date")}</ButtonLink>}
      <ButtonLink to={urls.newEvent(group.slug)} data-compose>
        <i className="icon icon-plus size-4" />
        {t("New event")}
      </ButtonLink>
    </span>
  );
  return (
    <>
      <PageHeader title={<bdi>{group.name}</bdi>} lead={group.purpose && <bdi>{group.purpose}</bdi>} />
      <GroupTabs data={data} current="events" />
      <div className="mt-4">
        <EventList list={list} to={(at) => urls.groupEvents(group.slug, at)} named={false} action={create} />
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2 empty:hidden print:hidden">
          {group.visibility === "public" && (
            <a href={urls.groupCalendar(group.slug)}>{t("Subscribe to calendar")}</a>
          )}
          {canCreate && <Link to={urls.eventImport(group.slug)}>{t("Import events")}</Link>}
          {canSubscribe && <Link to={urls.groupSubscriptions(group.slug)}>{t("Subscribed calendars")}</Link>}
        </p>
      </div>
    </>
  );
}
