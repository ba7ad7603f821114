import { groupsFor } from "#community/groups";
import { groupRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { useGroupWords } from "../groups/words.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, SearchIn } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/start";

export const middleware = [membersOnly];

/** Lists what the viewer can create, and the groups in which they may start a discussion. */
export const loader = reading(async ({ db, viewer, house, url }) => {
  const [search, after] = [asked(url, "search", 200), asked(url, "after", 1000)];
  const { rows, next } = await groupsFor(db, viewer, { tab: "mine", search, after });
  const open = rows.filter((group) => groupRules.start(viewer, group));
  return {
    search,
    next,
    many: search !== "" || after !== "" || next !== null,
    mayCreateGroup: groupRules.create(viewer, (await house.settings.get()).whoCreatesGroups),
    groups: open.map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount })),
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Start something"), hidden: true }));

export default function Start({ loaderData: { groups, search, next, many, mayCreateGroup } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Start something")} lead={t("Write to somebody, keep something for all, or begin a discussion.")} />
      <Otherwise mayCreateGroup={mayCreateGroup} />
      <section aria-labelledby="discussion">
        <h2 id="discussion" className="font-serif text-large font-semibold">
          {t("A discussion in one of your groups")}
        </h2>
        {many && <SearchIn label={t("Search groups")} hint={t("A word from its name or purpose")} search={search} className="mt-3" />}
        {groups.length > 0 ? <Places groups={groups} /> : <NoPlace search={search} more={next !== null} />}
        <NextPage to={next && urls.start({ search, after: next })} />
      </section>
    </>
  );
}

type Props = Route.ComponentProps["loaderData"];

function Places({ groups }: Pick<Props, "groups">) {
  const { audience } = useGroupWords();
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

function NoPlace({ search, more }: { search: string; more: boolean }) {
  const t = useWords();
  if (more) return <p className="mt-3 text-quiet">{t("In none of these you can start one.")}</p>;
  if (search) return <p className="mt-3 text-quiet">{t("No group of yours fits that.")}</p>;
  return (
    <div className="mt-3">
      <Empty
        title={t("You are in no group yet where you can start one.")}
        action={
          <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
            {t("Look at the groups")}
          </ButtonLink>
        }
      >
        {t("Discussions live in groups. Find one that suits you, and start the first.")}
      </Empty>
    </div>
  );
}

/** Above the groups, of which there may be many. */
function Otherwise({ mayCreateGroup }: Pick<Props, "mayCreateGroup">) {
  const t = useWords();
  const ways = [
    { to: urls.messages({ begin: "1" }), icon: "message-circle", label: t("A message") },
    { to: urls.newResource(), icon: "book-open", label: t("Something for the library") },
    ...(mayCreateGroup ? [{ to: urls.newGroup(), icon: "users", label: t("A group") }] : []),
  ];
  return (
    <nav aria-label={t("Or something else")} className="mb-8 flex flex-wrap gap-2">
      {ways.map(({ to, icon, label }) => (
        <ButtonLink key={to} to={to}>
          <i className={`icon icon-${icon} size-4`} />
          {label}
        </ButtonLink>
      ))}
    </nav>
  );
}
