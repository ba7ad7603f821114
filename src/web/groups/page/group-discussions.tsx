import { Suspense } from "react";
import { lazyComponent } from "../../client/lazy-component.ts";
import { DiscussionList } from "../../discussions/lists/discussion-list.tsx";
import { ButtonLink, ChoiceLink, EmptyState, NextPageLink, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";

/** This notice is loaded after the page, because it needs the live connection. */
const NewInGroup = lazyComponent(() => import("./create-in-group.tsx"));

type GroupDiscussionsProps = { data: GroupData; content: GroupContent<"discussions"> };

/** The group's discussions: pinned ones first, then the others in the requested order. */
export function GroupDiscussions({ data, content: { pinned, rows, next } }: GroupDiscussionsProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const hydrated = useHydrated();
  const { group, query } = data;
  const { filter, tag, after } = query;
  const sort = query.sort === "activity" ? undefined : query.sort;
  return (
    <>
      {hydrated && me && data.can.read && (
        <Suspense fallback={null}>
          <NewInGroup key={group.id} groupId={group.id} />
        </Suspense>
      )}
      <DiscussionFilters data={data} />
      {pinned.length > 0 && (
        <section aria-labelledby="pinned">
          <h2 id="pinned" className="sr-only">
            {t("Pinned")}
          </h2>
          <div className="border-b-2 border-line">
            <DiscussionList rows={pinned} inGroup />
          </div>
        </section>
      )}
      <h2 className="sr-only">{t("Discussions")}</h2>
      {rows.length > 0 && <DiscussionList rows={rows} inGroup />}
      {rows.length + pinned.length === 0 && <NoDiscussions data={data} />}
      <NextPageLink to={next && urls.group(group.slug, { filter, tag, sort, after: next })} />
      {after && (
        <p className="mt-3 text-center">
          <Link to={urls.group(group.slug, { filter, tag, sort })}>{t("Back to newest")}</Link>
        </p>
      )}
    </>
  );
}

/** Filters and sort order. They are links, so that each selection has an address. */
function DiscussionFilters({ data: { group, query, can } }: { data: GroupData }) {
  const t = useTranslate();
  const { me } = useRootData();
  const { filter } = query;
  const sort = query.sort === "activity" ? undefined : query.sort;
  const choice = (label: string, current: boolean, at: Parameters<typeof urls.group>[1]) => (
    <ChoiceLink key={label} to={urls.group(group.slug, at)} current={current}>
      {label}
    </ChoiceLink>
  );
  return (
    <div className="scrolling-row mb-1 gap-x-6 gap-y-1 text-small">
      <nav aria-label={t("Filter discussions")}>
        {choice(t("All"), !filter && !query.tag, { sort })}
        {choice(t("Unanswered"), filter === "unanswered", { filter: "unanswered", sort })}
        {me && choice(t("Mine"), filter === "mine", { filter: "mine", sort })}
        {choice(t("Archived"), filter === "archived", { filter: "archived" })}
        {can.restore && choice(t("Deleted"), filter === "deleted", { filter: "deleted" })}
        {query.tag && choice(`#${query.tag}`, true, { tag: query.tag, sort })}
      </nav>
      {filter !== "archived" && filter !== "deleted" && (
        <nav aria-label={t("Order")}>
          {choice(t("Latest"), query.sort === "activity", { filter, tag: query.tag })}
          {choice(t("New"), query.sort === "new", { filter, tag: query.tag, sort: "new" })}
          {choice(t("Popular"), query.sort === "top", { filter, tag: query.tag, sort: "top" })}
        </nav>
      )}
    </div>
  );
}

function NoDiscussions({ data: { group, query, can } }: { data: GroupData }) {
  const t = useTranslate();
  if (query.filter || query.tag || query.after)
    return (
      <EmptyState
        title={t("No matching discussions.")}
        action={<ButtonLink to={urls.group(group.slug)}>{t("Show all")}</ButtonLink>}
      />
    );
  return (
    <EmptyState
      title={t("No discussions yet.")}
      action={
        can.start && (
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink kind="primary" to={urls.newDiscussion(group.slug)}>
              {t("Start the first discussion")}
            </ButtonLink>
            {can.invite && (
              <ButtonLink to={urls.manageGroup(group.slug, "invitations")}>{t("Invite people")}</ButtonLink>
            )}
          </span>
        )
      }
    >
      {t("A question, a plan, a story: one paragraph is enough to begin.")}
    </EmptyState>
  );
}
