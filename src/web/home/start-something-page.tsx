import { listGroups } from "#community/groups";
import { groupRules } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam } from "../form-parsing.ts";
import { useGroupTexts } from "../groups/group-texts.ts";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, ListSearch } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/start-something-page";

export const middleware = [requireMember];

/** Loads what the viewer can create, and the groups in which they may start a discussion. */
export const loader = defineLoader(async ({ db, viewer, app, url }) => {
  const [search, after] = [readQueryParam(url, "search", 200), readQueryParam(url, "after", 1000)];
  const { rows, next } = await listGroups(db, viewer, { tab: "mine", search, after });
  const open = rows.filter((group) => groupRules.start(viewer, group));
  return {
    search,
    next,
    many: search !== "" || after !== "" || next !== null,
    canCreateGroup: groupRules.create(viewer, (await app.settings.get()).whoCreatesGroups),
    groups: open.map(({ id, slug, name, visibility, membersCount }) => ({
      id,
      slug,
      name,
      visibility,
      membersCount,
    })),
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Create"),
  hidden: true,
}));

export default function StartSomething({
  loaderData: { groups, search, next, many, canCreateGroup },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Create")} lead={t("Start a discussion, write a message or share a resource.")} />
      <OtherChoices canCreateGroup={canCreateGroup} />
      <section aria-labelledby="discussion">
        <h2 id="discussion" className="font-serif text-large font-semibold">
          {t("Discussion in one of your groups")}
        </h2>
        {many && (
          <ListSearch label={t("Search groups")} hint={t("Search groups")} search={search} className="mt-3" />
        )}
        {groups.length > 0 ? (
          <GroupChoices groups={groups} />
        ) : (
          <NoGroupChoices search={search} more={next !== null} />
        )}
        <NextPageLink to={next && urls.start({ search, after: next })} />
      </section>
    </>
  );
}

type StartPageData = Route.ComponentProps["loaderData"];

function GroupChoices({ groups }: Pick<StartPageData, "groups">) {
  const { audience } = useGroupTexts();
  return (
    <ul className="mt-3 border-t border-line">
      {groups.map((group) => (
        <li key={group.id} className="border-b border-line py-3" data-item>
          <h3 className="font-serif text-read font-semibold">
            <Link to={urls.newDiscussion(group.slug)} dir="auto" className="block break-words">
              {group.name}
            </Link>
          </h3>
          <p className="text-small text-quiet">{audience(group)}</p>
        </li>
      ))}
    </ul>
  );
}

function NoGroupChoices({ search, more }: { search: string; more: boolean }) {
  const t = useTranslate();
  if (more) return <p className="mt-3 text-quiet">{t("You cannot start discussions in any of these.")}</p>;
  if (search) return <p className="mt-3 text-quiet">{t("No matching groups.")}</p>;
  return (
    <div className="mt-3">
      <EmptyState
        title={t("You are not in a group where you can start discussions.")}
        action={
          <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
            {t("Browse groups")}
          </ButtonLink>
        }
      >
        {t("Discussions are held in groups. Find one and start the first discussion.")}
      </EmptyState>
    </div>
  );
}

/** These choices precede the groups, since there may be many groups. */
function OtherChoices({ canCreateGroup }: Pick<StartPageData, "canCreateGroup">) {
  const t = useTranslate();
  const targets = [
    { to: urls.messages({ begin: "1" }), icon: "message-circle", label: t("Message") },
    { to: urls.newEvent(), icon: "calendar-days", label: t("Event", undefined, "calendar") },
    { to: urls.newResource(), icon: "book-open", label: t("Resource") },
    ...(canCreateGroup ? [{ to: urls.newGroup(), icon: "users", label: t("Group") }] : []),
  ];
  return (
    <nav aria-label={t("Or create")} className="mb-8 flex flex-wrap gap-2">
      {targets.map(({ to, icon, label }) => (
        <ButtonLink key={to} to={to}>
          <i className={`icon icon-${icon} size-4`} />
          {label}
        </ButtonLink>
      ))}
    </nav>
  );
}
