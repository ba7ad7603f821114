import { latestDiscussions } from "#community/discussions";
import { asked } from "../forms.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/latest";
import { DiscussionList } from "./discussion-line.tsx";

/** Everything that the viewer may read, whichever group it is in, by the last word. */
export const loader = reading(async ({ visit, viewer, db, url }) => {
  showing(visit, "discussions", "groups");
  const after = asked(url, "after", 1000);
  return { ...(await latestDiscussions(db, viewer, { after })), continued: after !== "" };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ continued }, t) => ({
  title: t("Discussions"),
  canonical: urls.discussions(),
  hidden: continued,
}));

export default function Latest({ loaderData: { rows, next, continued } }: Route.ComponentProps) {
  const t = useWords();
  const { me } = useRoot();
  return (
    <>
      <PageHead
        title={t("Discussions")}
        lead={me ? t("Everything you may read, the latest word first.") : t("Everything that is open to guests, the latest word first.")}
      />
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
