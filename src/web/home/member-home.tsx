import { Suspense } from "react";
import { useRouteLoaderData } from "react-router";
import { lazyComponent } from "../client/lazy-component.ts";
import { DiscussionList } from "../discussions/lists/discussion-list.tsx";
import type { ShellData } from "../layouts/default.tsx";
import { FeaturedResources } from "../resources/library/featured-resources.tsx";
import {
  ButtonLink,
  ChoiceLink,
  CountBadge,
  EmptyState,
  NextPageLink,
  PageHeader,
  Tabs,
} from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { MemberHomeData } from "./home-data.ts";
import { DueBookmarks } from "./due-bookmarks.tsx";
import { NewDiscussionButton } from "./new-discussion-button.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { RelatedDiscussions } from "./related-discussions.tsx";
import { SetupChecklist } from "../setup/setup-checklist.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";

/** This notice is loaded after the page, because it needs the live connection. */
const NewPostsNotice = lazyComponent(() => import("./new-posts-notice.tsx"));

/** A member's home page: tasks, unread discussions, and featured resources. The list is finite. */
export function MemberHome({ data }: { data: MemberHomeData }) {
  const t = useTranslate();
  const hydrated = useHydrated();
  const shell = useRouteLoaderData<ShellData>("layouts/default");
  const { tab, rows, next, waiting, featured } = data;
  const unread = data.missed ?? shell?.badges.unreadDiscussions;
  const alone = shell?.groups.length === 0;
  return (
    <>
      <PageHeader
        title={t("For you")}
        lead={<UnreadCount unread={unread ?? rows.length} />}
        actions={!alone && <NewDiscussionButton />}
      />
      <NeedsAttention waiting={waiting} />
      <DueBookmarks due={data.due} />
      {data.checklist && <SetupChecklist texts={data.checklist} />}
      {data.firstSteps && <FirstSteps {...data.firstSteps} />}
      {hydrated && tab !== "top" && (
        <Suspense fallback={null}>
          <NewPostsNotice of={rows} />
        </Suspense>
      )}
      <HomeTabs data={data} unread={unread} />
      {tab === "top" && <SpanMenu span={data.span} />}
      <h2 className="sr-only">{t("Discussions")}</h2>
      {rows.length > 0 && <DiscussionList rows={rows} />}
      {tab === "unread" &&
        (rows.length > 0 ? <EndOfList more={(unread ?? 0) - rows.length} /> : !alone && <UpToDate />)}
      {data.because && <RelatedDiscussions because={data.because} />}
      {tab !== "unread" && rows.length === 0 && !next && (
        <div className="mt-4">
          <EmptyState title={t("No activity in this period.")} />
        </div>
      )}
      <NextPageLink to={next && urls.home({ tab: "latest", after: next })} />
      {tab === "unread" && featured.length > 0 && (
        <div className="mt-10">
          <FeaturedResources rows={featured} />
        </div>
      )}
      {shell && shell.groups.length > 0 && <OwnGroups groups={shell.groups} />}
    </>
  );
}

function UnreadCount({ unread }: { unread: number }) {
  const t = useTranslate();
  if (unread === 0) return t("Activity in your groups, newest first.");
  return t("{count, plural, one {# unread discussion} other {# unread discussions}}", {
    count: unread,
  });
}

/** End of the list of ten discussions; more appear as these are read. */
function EndOfList({ more }: { more: number }) {
  const t = useTranslate();
  return (
    <p className="mt-3 text-center text-small text-quiet">
      {more > 0
        ? t(
            "{count, plural, one {# more appears when you have read these.} other {# more appear when " +
              "you have read these.}}",
            {
              count: more,
            },
          )
        : t("You are up to date.")}
    </p>
  );
}

function HomeTabs({ data: { tab, span }, unread }: { data: MemberHomeData; unread: number | undefined }) {
  const t = useTranslate();
  const tabs = [
    { to: urls.home(), label: t("Unread"), current: tab === "unread", count: unread },
    { to: urls.home({ tab: "latest" }), label: t("Latest"), current: tab === "latest" },
    {
      to: urls.home({ tab: "top", span: span === "month" ? undefined : span }),
      label: t("Top"),
      current: tab === "top",
    },
  ];
  return <Tabs label={t("Filter")} tabs={tabs} />;
}

function SpanMenu({ span }: { span: MemberHomeData["span"] }) {
  const t = useTranslate();
  const spans = [
    ["week", t("This week")],
    ["month", t("This month")],
    ["year", t("This year")],
  ] as const;
  return (
    <nav aria-label={t("Time")} className="mt-3 flex gap-1 text-small">
      {spans.map(([value, label]) => (
        <ChoiceLink key={value} to={urls.home({ tab: "top", span: value })} current={value === span}>
          {label}
        </ChoiceLink>
      ))}
    </nav>
  );
}

function UpToDate() {
  const t = useTranslate();
  return (
    <div className="mt-4">
      <EmptyState
        title={t("You are up to date.")}
        action={<ButtonLink to={urls.home({ tab: "latest" })}>{t("Browse the latest")}</ButtonLink>}
      >
        {t("You have read everything in your groups. Time for the garden.")}
      </EmptyState>
    </div>
  );
}

function OwnGroups({ groups }: { groups: NonNullable<ShellData>["groups"] }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="own-groups" className="mt-10 rail:hidden">
      <h2 id="own-groups" className="font-serif text-large font-semibold">
        {t("Your groups")}
      </h2>
      <ul className="mt-1">
        {groups.map((group) => (
          <li key={group.id}>
            <Link
              to={urls.group(group.slug)}
              className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-ink no-underline
                hover:underline"
            >
              <span
                dir="auto"
                className={`min-w-0 flex-1 break-words ${group.unread ? "font-semibold" : ""}`}
              >
                {group.name}
              </span>
              {group.unread > 0 && <CountBadge n={group.unread} fresh of={t("unread")} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
