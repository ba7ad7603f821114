import { Plus } from "lucide-react";
import { redirect, useRouteLoaderData } from "react-router";
import { deletedGroups, groupsFor, topicsToDiscover } from "#community/groups";
import { groupRules, isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { assertPlace } from "../list-place.ts";
import type { ShellData } from "../layouts/default.tsx";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, RefusalNotice, Tabs, useRoot, SearchIn } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/groups";
import { cardRows } from "./card-rows.ts";
import { DeletedGroups } from "./deleted-groups.tsx";
import { DiscoverChoices, isNarrowed } from "./discover-choices.tsx";
import { GroupCards } from "./group-card.tsx";
import { doInGroup } from "./group-verbs.ts";
import { type Looking, lookingFor } from "./looking-for.ts";
import { PinAct } from "./pin-act.tsx";

const TABS = ["mine", "discover", "waiting"] as const;
const SUGGESTED = 4;

export const loader = reading(async ({ visit, viewer, db, house, url }) => {
  showing(visit, "groups");
  const tab = (isSignedIn(viewer) && (TABS.find((name) => name === asked(url, "tab")) ?? "mine")) || "discover";
  const looking: Looking = lookingFor(url, tab);
  const { search, active } = looking;
  const after = asked(url, "after", 1000);
  const [{ rows, next }, topics] = await Promise.all([
    groupsFor(db, viewer, { ...looking, tab, after, active: active && { within: active, now: visit.now } }),
    tab === "discover" ? topicsToDiscover(db, viewer) : [],
  ]);
  assertPlace(url, rows);
  const alone = tab === "mine" && rows.length === 0 && !search && !after;
  // Groups by invitation only are no use as suggestions to a new member.
  const suggested = alone
    ? cardRows(viewer, (await groupsFor(db, viewer, { tab: "discover" })).rows, visit.now).filter(({ may }) => may.join || may.ask)
    : [];
  const deleted = tab === "mine" && !search && !after ? await deletedGroups(db, viewer) : [];
  const mayCreate = groupRules.create(viewer, (await house.settings.get()).whoCreatesGroups);
  return {
    tab,
    looking,
    next,
    topics,
    rows: cardRows(viewer, rows, visit.now),
    suggested: suggested.slice(0, SUGGESTED),
    mayCreate,
    deleted,
  };
});

export const action = acting(async ({ house, viewer, form, url }) =>
  redirect(await house.database.inTransaction((tx) => doInGroup(tx, viewer, form, url))),
);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ looking }, t) => ({
  title: t("Groups"),
  canonical: urls.groups(),
  hidden: looking.search !== "" || isNarrowed(looking) || looking.sort !== undefined,
}));

export default function Groups({ loaderData: { tab, looking, topics, rows, next, suggested, mayCreate, deleted } }: Route.ComponentProps) {
  const t = useWords();
  const { me } = useRoot();
  return (
    <>
      <PageHead
        title={t("Groups")}
        lead={t("Where people who care about the same thing meet.")}
        actions={
          mayCreate && (
            <ButtonLink to={urls.newGroup()} data-compose>
              <Plus size={16} strokeWidth={1.75} aria-hidden />
              {t("New group")}
            </ButtonLink>
          )
        }
      />
      <RefusalNotice />
      {me && <GroupTabs tab={tab} />}
      {(rows.length > 0 || looking.search !== "" || isNarrowed(looking)) && (
        <>
          <GroupSearch tab={tab} looking={looking} />
          {tab === "discover" && <DiscoverChoices looking={looking} topics={topics} />}
        </>
      )}
      <h2 className="sr-only">{t("List of groups")}</h2>
      {rows.length > 0 && <GroupCards rows={rows} Deed={tab === "mine" ? PinAct : undefined} />}
      {rows.length === 0 && (
        <div className="mt-5">
          <NoGroups tab={tab} looking={looking} bare={suggested.length === 0 && mayCreate} />
        </div>
      )}
      <NextPage to={next && urls.groups({ tab, ...looking, after: next })} />
      {deleted.length > 0 && <DeletedGroups groups={deleted} />}
      {suggested.length > 0 && (
        <section className="mt-8" aria-labelledby="suggested">
          <h2 id="suggested" className="mb-3 text-large font-semibold">
            {t("Lively at the moment")}
          </h2>
          <GroupCards rows={suggested} />
        </section>
      )}
    </>
  );
}

function GroupTabs({ tab }: { tab: string }) {
  const t = useWords();
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
  return <Tabs label={t("Which groups")} tabs={tabs} />;
}

function GroupSearch({ tab, looking: { search, ...rest } }: { tab: string; looking: Looking }) {
  const t = useWords();
  return (
    <SearchIn
      label={t("Search groups")}
      hint={t("A word from its name or purpose")}
      search={search}
      keeping={{ tab: tab === "mine" ? undefined : tab, ...rest }}
      className="my-4"
    />
  );
}

type None = {
  tab: (typeof TABS)[number];
  looking: Looking;
  /** There is no group to join, and the viewer may create one. */ bare: boolean;
};

function NoGroups({ tab, looking, bare }: None) {
  const t = useWords();
  const { search, sort } = looking;
  const discover = (
    <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
      {t("Discover groups")}
    </ButtonLink>
  );
  if (isNarrowed(looking))
    return (
      <Empty
        title={t("No group fits that.")}
        action={<ButtonLink to={urls.groups({ tab, search, sort })}>{t("Take the filters away")}</ButtonLink>}
      >
        {search === "" ? t("With other filters there may be some.") : t("Without the filters “{search}” may find some.", { search })}
      </Empty>
    );
  if (search !== "")
    return (
      <Empty title={t("No group has “{search}” in its name or purpose.", { search })} action={tab === "discover" ? undefined : discover}>
        {t("A shorter word may find more.")}
      </Empty>
    );
  if (tab === "waiting")
    return (
      <Empty title={t("Nothing is waiting.")} action={discover}>
        {t("Invitations to you and your own requests to join appear here until they are answered.")}
      </Empty>
    );
  if (tab === "mine")
    return (
      <Empty
        title={t("You are in no group yet.")}
        action={
          bare && (
            <ButtonLink kind="primary" to={urls.newGroup()}>
              {t("Found the first group")}
            </ButtonLink>
          )
        }
      >
        {t("Groups are where discussions happen. Join one that is open, or ask to be let in.")}
      </Empty>
    );
  return (
    <Empty title={t("There is nothing more to discover.")}>
      {t("You are in every group that can be found here, or none has been founded yet.")}
    </Empty>
  );
}
