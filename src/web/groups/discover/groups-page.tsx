import { useRouteLoaderData } from "react-router";
import { listDeletedGroups, listGroups, listDiscoverableTopics } from "#community/groups";
import { groupRules, isSignedIn } from "#community/rules";
import { readQueryParam } from "../../form-parsing.ts";
import { redirectFromEmptyPage } from "../../list-pagination.ts";
import type { ShellData } from "../../layouts/default.tsx";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  PageHeader,
  pageMeta,
  RefusalNotice,
  Tabs,
  useRootData,
  ListSearch,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader, addCacheTags } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/groups-page";
import { toCardRows } from "./group-card-rows.ts";
import { DeletedGroups } from "./deleted-groups.tsx";
import { DiscoverFilters, isFiltered } from "./discover-filters.tsx";
import { GroupCards } from "./group-card.tsx";
import { runMembershipCommand } from "../page/group-commands.ts";
import { type GroupFilters, parseGroupFilters } from "./group-filters.ts";
import { PinGroup } from "./pin-group.tsx";

const TABS = ["mine", "discover", "waiting"] as const;
const SUGGESTED_COUNT = 4;

export const loader = defineLoader(async ({ ctx, viewer, db, app, url }) => {
  addCacheTags(ctx, "groups");
  const tab =
    (isSignedIn(viewer) && (TABS.find((name) => name === readQueryParam(url, "tab")) ?? "mine")) ||
    "discover";
  const filters: GroupFilters = parseGroupFilters(url, tab);
  const { search, active } = filters;
  const after = readQueryParam(url, "after", 1000);
  const [{ rows, next }, topics] = await Promise.all([
    listGroups(db, viewer, { ...filters, tab, after, active: active && { within: active, now: ctx.now } }),
    tab === "discover" ? listDiscoverableTopics(db, viewer) : [],
  ]);
  redirectFromEmptyPage(url, rows);
  const alone = tab === "mine" && rows.length === 0 && !search && !after;
  // Groups by invitation only are not suggested, since a new member could not join them.
  const suggested = alone
    ? toCardRows(viewer, (await listGroups(db, viewer, { tab: "discover" })).rows, ctx.now).filter(
        ({ can }) => can.join || can.ask,
      )
    : [];
  const deleted = tab === "mine" && !search && !after ? await listDeletedGroups(db, viewer) : [];
  const canCreate = groupRules.create(viewer, (await app.settings.get()).whoCreatesGroups);
  return {
    tab,
    looking: filters,
    next,
    topics,
    rows: toCardRows(viewer, rows, ctx.now),
    suggested: suggested.slice(0, SUGGESTED_COUNT),
    canCreate,
    deleted,
  };
});

export const action = runMembershipCommand;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ looking }, t) => ({
  title: t("Groups"),
  canonical: urls.groups(),
  hidden: looking.search !== "" || isFiltered(looking) || looking.sort !== undefined,
}));

export default function Groups({
  loaderData: { tab, looking, topics, rows, next, suggested, canCreate, deleted },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { me } = useRootData();
  return (
    <>
      <PageHeader
        title={t("Groups")}
        lead={t("Where people who care about the same thing meet.")}
        actions={
          canCreate && (
            <ButtonLink to={urls.newGroup()} data-compose>
              <i className="icon icon-plus size-4" />
              {t("New group")}
            </ButtonLink>
          )
        }
      />
      <RefusalNotice />
      {me && <GroupsTabs tab={tab} />}
      {(rows.length > 0 || looking.search !== "" || isFiltered(looking)) && (
        <>
          <GroupSearch tab={tab} looking={looking} />
          {tab === "discover" && <DiscoverFilters looking={looking} topics={topics} />}
        </>
      )}
      <h2 className="sr-only">{t("List of groups")}</h2>
      {rows.length > 0 && <GroupCards rows={rows} Action={tab === "mine" ? PinGroup : undefined} />}
      {rows.length === 0 && (
        <div className="mt-5">
          <NoGroups tab={tab} looking={looking} bare={suggested.length === 0 && canCreate} />
        </div>
      )}
      <NextPageLink to={next && urls.groups({ tab, ...looking, after: next })} />
      {deleted.length > 0 && <DeletedGroups groups={deleted} />}
      {suggested.length > 0 && (
        <section className="mt-8" aria-labelledby="suggested">
          <h2 id="suggested" className="mb-3 text-large font-semibold">
            {t("Active now")}
          </h2>
          <GroupCards rows={suggested} />
        </section>
      )}
    </>
  );
}

function GroupsTabs({ tab }: { tab: string }) {
  const t = useTranslate();
  const badges = useRouteLoaderData<ShellData>("layouts/default")?.badges;
  const tabs = [
    { to: urls.groups(), label: t("Mine"), current: tab === "mine" },
    { to: urls.groups({ tab: "discover" }), label: t("Discover"), current: tab === "discover" },
    {
      to: urls.groups({ tab: "waiting" }),
      label: t("Invitations and requests"),
      current: tab === "waiting",
      count: badges?.groupInvitations,
    },
  ];
  return <Tabs label={t("Filter groups")} tabs={tabs} />;
}

function GroupSearch({ tab, looking: { search, ...rest } }: { tab: string; looking: GroupFilters }) {
  const t = useTranslate();
  return (
    <ListSearch
      label={t("Search groups")}
      hint={t("Search groups")}
      search={search}
      hiddenFields={{ tab: tab === "mine" ? undefined : tab, ...rest }}
      className="my-4"
    />
  );
}

type NoGroupsProps = {
  tab: (typeof TABS)[number];
  looking: GroupFilters;
  /** Whether there is no group to join and the viewer may create one. */
  bare: boolean;
};

function NoGroups({ tab, looking, bare }: NoGroupsProps) {
  const t = useTranslate();
  const { search, sort } = looking;
  const discover = (
    <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
      {t("Discover groups")}
    </ButtonLink>
  );
  if (isFiltered(looking))
    return (
      <EmptyState
        title={t("No matching groups.")}
        action={<ButtonLink to={urls.groups({ tab, search, sort })}>{t("Clear filters")}</ButtonLink>}
      >
        {search === ""
          ? t("Other filters may find some.")
          : t("“{search}” may have results without filters.", { search })}
      </EmptyState>
    );
  if (search !== "")
    return (
      <EmptyState
        title={t("No groups match “{search}”.", { search })}
        action={tab === "discover" ? undefined : discover}
      >
        {t("Try a shorter word.")}
      </EmptyState>
    );
  if (tab === "waiting")
    return (
      <EmptyState title={t("Nothing to do.")} action={discover}>
        {t("Your invitations and join requests appear here until they are answered.")}
      </EmptyState>
    );
  if (tab === "mine")
    return (
      <EmptyState
        title={t("You are not in a group yet.")}
        action={
          bare && (
            <ButtonLink kind="primary" to={urls.newGroup()}>
              {t("Create the first group")}
            </ButtonLink>
          )
        }
      >
        {t("Discussions are held in groups. Join an open one, or request to join.")}
      </EmptyState>
    );
  return (
    <EmptyState title={t("No more groups to discover.")}>
      {t("You are in every group that you could find, or there are none yet.")}
    </EmptyState>
  );
}
