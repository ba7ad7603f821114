import type { OwnRemoval } from "#community/moderation";
import { appealRules, type Viewer } from "#community/rules";
import { Notice, PageHeader, Prose, Time } from "../ui/index.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { AppealForm, SubmittedAppeal, QuotedText } from "./appeal-form.tsx";

/** The removed content, whether it can be appealed now, and until when. */
export const getRemovalAppeal = (viewer: Viewer, removal: OwnRemoval, now: Date) => ({
  removal,
  open: appealRules.askOfRemoval(viewer, { ...removal, asked: removal.appeal !== null }, now),
  until: appealRules.untilOfRemoval(removal.removedAt),
});

/** For the author or owner of removed content: the reason, and a form for one appeal. */
export function RemovalAppeal({ removal, open, until }: ReturnType<typeof getRemovalAppeal>) {
  const t = useTranslate();
  const { what } = removal;
  const heading = {
    discussion: t("A discussion of yours was deleted"),
    post: t("A post of yours was removed"),
    comment: t("A comment of yours was removed"),
    resource: t("A resource that you keep was removed"),
  }[what];
  return (
    <>
      <PageHeader title={t("Ask that it comes back")} />
      <section aria-labelledby="removed" className="panel mb-5 max-w-reading p-4">
        <h2 id="removed" className="font-semibold">
          {heading}
        </h2>
        <p className="text-small text-quiet">
          <Time at={removal.removedAt} />
        </p>
        {removal.reason && <QuotedText label={t("The reason that was given")} words={removal.reason} />}
        <p className="mt-2 text-small text-quiet">
          {what === "resource" ? t("What it says") : what === "discussion" ? t("What you began it with") : t("What you wrote")}
        </p>
        {removal.html ? <Prose html={removal.html} className="message-text" /> : <p>{t("Its words are no longer kept.")}</p>}
      </section>
      {removal.appeal ? (
        <SubmittedAppeal
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
        <AppealForm
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
