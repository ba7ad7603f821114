import { redirect } from "react-router";
import { listLatestDiscussions, findNextUnread } from "#community/discussions";
import { isSignedIn } from "#community/rules";
import { readQueryParam } from "../../form-parsing.ts";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  Notice,
  PageHeader,
  pageMeta,
  useRootData,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader, addCacheTags } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { NewDiscussionButton } from "../../home/new-discussion-button.tsx";
import type { Route } from "./+types/latest-discussions";
import { DiscussionList } from "./discussion-list.tsx";

/**
 * Lists all discussions that the viewer may read, ordered by the last post; with `next`, redirects to an
 * unread discussion.
 */
export const loader = defineLoader(async ({ ctx, viewer, db, url }) => {
  addCacheTags(ctx, "discussions", "groups");
  const wantsUnread = isSignedIn(viewer) && readQueryParam(url, "next") === "unread";
  const unread = wantsUnread && (await findNextUnread(db, viewer, readQueryParam(url, "from")));
  if (unread) throw redirect(urls.discussion(unread.id));
  const after = readQueryParam(url, "after", 1000);
  return {
    ...(await listLatestDiscussions(db, viewer, { after })),
    continued: after !== "",
    allRead: wantsUnread,
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ continued, allRead }, t) => ({
  title: t("Discussions"),
  canonical: urls.discussions(),
  hidden: continued || allRead,
}));

export default function LatestDiscussions({
  loaderData: { rows, next, continued, allRead },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { me } = useRootData();
  return (
    <>
      <PageHeader
        title={t("Discussions")}
        lead={
          me ? t("All discussions, newest activity first.") : t("Public discussions, newest activity first.")
        }
        actions={me && <NewDiscussionButton />}
      />
      {allRead && (
        <div className="mb-4">
          <Notice>{t("You have read everything.")}</Notice>
        </div>
      )}
      <h2 className="sr-only">{t("Latest discussions")}</h2>
      {rows.length > 0 && <DiscussionList rows={rows} />}
      {rows.length === 0 && (
        <EmptyState
          title={continued ? t("End of the list.") : t("No discussions yet.")}
          action={
            <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
              {t("Browse groups")}
            </ButtonLink>
          }
        >
          {t("Discussions are held in groups. Find one and start the first discussion.")}
        </EmptyState>
      )}
      <NextPageLink to={next && urls.discussions({ after: next })} />
    </>
  );
}
