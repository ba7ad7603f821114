import { redirect } from "react-router";
import { appealRemoval, NewRemovalAppeal, removalFor } from "#community/moderation";
import { appealRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { Notice, PageHead, pageMeta, Prose, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import { AskAgain, AskedAgain, Said } from "./asked-again.tsx";
import type { Route } from "./+types/appeal";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, db, viewer, params }) => {
  const removal = await removalFor(db, viewer, params["postId"]!);
  const asked = removal.appeal !== null;
  return {
    removal,
    open: appealRules.askOfRemoval(viewer, { ...removal, asked }, visit.now),
    until: appealRules.untilOfRemoval(removal.removedAt),
  };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("postId", params["postId"]!);
  await house.database.inTransaction((tx) => appealRemoval(tx, viewer, parseForm(NewRemovalAppeal, form)));
  return redirect(urls.appealRemoval(params["postId"]!));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Ask that it comes back"), hidden: true }));

/** For whoever wrote what was removed: why, and to ask once that somebody else looks at it. */
export default function Appeal({ loaderData: { removal, open, until } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Ask that it comes back")} />
      <section aria-labelledby="removed" className="panel mb-5 max-w-[68ch] p-4">
        <h2 id="removed" className="font-semibold">
          {removal.comment ? t("A comment of yours was removed") : t("A post of yours was removed")}
        </h2>
        <p className="text-small text-quiet">
          <Time at={removal.removedAt} />
        </p>
        {removal.reason && <Said label={t("The reason that was given")} words={removal.reason} />}
        <p className="mt-2 text-small text-quiet">{t("What you wrote")}</p>
        {removal.html ? <Prose html={removal.html} className="message-text" /> : <p>{t("Its words are no longer kept.")}</p>}
      </section>
      {removal.appeal ? (
        <AskedAgain
          {...removal.appeal}
          stays={
            removal.appeal.answeredAt && (
              <Rich
                text="<0>It stays removed.</0> That was answered <1></1>."
                parts={[<strong />, <Time at={removal.appeal.answeredAt} />]}
              />
            )
          }
        />
      ) : open ? (
        <AskAgain
          lead={
            <Rich
              text="You can ask once, until <0></0>. Somebody else than who removed it looks at it, if there is somebody else. You are told the answer."
              parts={[<Time at={until} />]}
            />
          }
          why={t("Why should it come back?")}
          ask={t("Ask that it comes back")}
        />
      ) : (
        <Notice>{t("It could be asked for twenty days.")}</Notice>
      )}
    </>
  );
}
