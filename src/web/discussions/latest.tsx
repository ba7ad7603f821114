import { redirect } from "react-router";
import { latestDiscussions, nextUnread } from "#community/discussions";
import { isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { ButtonLink, Empty, NextPage, Notice, PageHead, pageMeta, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { NewDiscussionWay } from "../home/new-discussion-way.tsx";
import type { Route } from "./+types/latest";
import { DiscussionList } from "./discussion-line.tsx";

/** All discussions that the viewer may read, by the last post; or a redirect to an unread one. */
export const loader = reading(async ({ visit, viewer, db, url }) => {
  showing(visit, "discussions", "groups");
  const wantsUnread = isSignedIn(viewer) && asked(url, "next") === "unread";
  const unread = wantsUnread && (await nextUnread(db, viewer, asked(url, "from")));
  if (unread) throw redirect(urls.discussion(unread.id));
  const after = asked(url, "after", 1000);
  return { ...(await latestDiscussions(db, viewer, { after })), continued: after !== "", allRead: wantsUnread };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ continued, allRead }, t) => ({
  title: t("Discussions"),
  canonical: urls.discussions(),
  hidden: continued || allRead,
}));

export default function Latest({ loaderData: { rows, next, continued, allRead } }: Route.ComponentProps) {
  const t = useWords();
  const { me } = useRoot();
  return (
    <>
      <PageHead
        title={t("Discussions")}
        lead={me ? t("Everything you may read, the latest word first.") : t("Everything that is open to guests, the latest word first.")}
        actions={me && <NewDiscussionWay />}
      />
      {allRead && (
        <div className="mb-4">
          <Notice>{t("You have read everything.")}</Notice>
        </div>
      )}
      <h2 className="sr-only">{t("Latest discussions")}</h2>
      {rows.length > 0 && <DiscussionList rows={rows} />}
      {rows.length === 0 && (
        <Empty
          title={continued ? t("That was all of them.") : t("Nobody has started a discussion yet.")}
          action={
            <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
              {t("Look at the groups")}
            </ButtonLink>
          }
        >
          {t("Discussions live in groups. Find one that suits you, and start the first.")}
        </Empty>
      )}
      <NextPage to={next && urls.discussions({ after: next })} />
    </>
  );
}
