import { isSignedIn } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import { ButtonLink, Menu, PageHeader, pageMeta, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { addCacheTags, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/events-page";
import { loadEventList } from "./lists/event-list-data.ts";
import { EventList } from "./lists/event-list.tsx";

/**
 * Events to list: all that the viewer may see, those of the viewer's groups, or those the viewer has
 * answered.
 */
const FILTERS = ["all", "groups", "answered"] as const;

/** Members see the events of their groups unless they choose otherwise. */
export const loader = defineLoader(async ({ ctx, viewer, db, url }) => {
  const show = isSignedIn(viewer)
    ? (FILTERS.find((name) => name === readQueryParam(url, "show")) ?? "groups")
    : "all";
  const list = await loadEventList(db, viewer, url, ctx, { mine: show === "all" ? undefined : show });
  addCacheTags(ctx, "events", "groups");
  return { list, show };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ list }, t) => ({
  title: t("Events", undefined, "calendar"),
  canonical: urls.events(),
  hidden: list.view !== "agenda",
}));

export default function EventsPage({ loaderData: { list, show } }: Route.ComponentProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const chosen = show === "groups" ? undefined : show;
  const view = list.view === "agenda" ? undefined : list.view;
  const filters = [
    { name: undefined, label: t("My groups") },
    { name: "answered", label: t("My answers") },
    { name: "all", label: t("All") },
  ] as const;
  const current = filters.find(({ name }) => name === chosen)!;
  const filter = (
    <Menu kind="plain" label={t("Events of: {filter}", { filter: current.label })} summary={current.label}>
      {filters.map(({ name, label }) => (
        <Link key={label} to={urls.events({ view, show: name })} className="menu-item" preventScrollReset>
          {label}
        </Link>
      ))}
    </Menu>
  );
  const create = (
    <ButtonLink kind="primary" to={urls.newEvent()} data-compose>
      <i className="icon icon-plus size-4" />
      {t("New event")}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={t("Events", undefined, "calendar")}
        actions={
          me && (
            <>
              <ButtonLink to={urls.newDatePoll()}>{t("Find a date")}</ButtonLink>
              {create}
            </>
          )
        }
      />
      <EventList
        list={list}
        to={(at) => urls.events({ show: me ? chosen : undefined, ...at })}
        named
        filter={me && filter}
      />
      {me && (
        <p className="mt-4 print:hidden">
          <Link to={urls.calendarFeeds()}>{t("Subscribe to calendar")}</Link>
        </p>
      )}
    </>
  );
}
