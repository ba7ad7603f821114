import type { OwnRemoval } from "#community/moderation";
import { appealRules, type Viewer } from "#community/rules";
import { Notice, PageHeader, Prose, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { AppealForm, SubmittedAppeal, QuotedText } from "./appeal-form.tsx";

/** Returns the removed content, whether its removal can be appealed now, and the deadline. */
export const getRemovalAppeal = (viewer: Viewer, removal: OwnRemoval, now: Date) => ({
  removal,
  open: appealRules.askOfRemoval(viewer, { ...removal, asked: removal.appeal !== null }, now),
  until: appealRules.untilOfRemoval(removal.removedAt),
});

/** Shows the author or owner of removed content the reason, with a form for their only appeal. */
export function RemovalAppeal({ removal, open, until }: ReturnType<typeof getRemovalAppeal>) {
  const t = useTranslate();
  const { what } = removal;
  const heading = {
    discussion: t("Your discussion was deleted"),
    post: t("Your post was removed"),
    comment: t("Your comment was removed"),
    resource: t("Your resource was removed"),
  }[what];
  return (
    <>
      <PageHeader title={t("Appeal")} />
      <section aria-labelledby="removed" className="panel mb-5 max-w-reading p-4">
        <h2 id="removed" className="font-semibold">
          {heading}
        </h2>
        <p className="text-small text-quiet">
          <Time at={removal.removedAt} />
        </p>
        {removal.reason && <QuotedText label={t("Reason")} words={removal.reason} />}
        <p className="mt-2 text-small text-quiet">
          {what === "resource" ? t("Text") : what === "discussion" ? t("First post") : t("Your text")}
        </p>
        {removal.html ? (
          <Prose html={removal.html} className="message-text" />
        ) : (
          <p>{t("The text is no longer stored.")}</p>
        )}
      </section>
      {removal.appeal ? (
        <SubmittedAppeal
          {...removal.appeal}
          stays={
            removal.appeal.answeredAt && (
              <Rich
                text="<0>The removal was upheld</0> <1></1>."
                parts={{ 0: <strong />, 1: <Time at={removal.appeal.answeredAt} /> }}
              />
            )
          }
        />
      ) : open ? (
        <AppealForm
          lead={
            <Rich
              text={
                "You can appeal once, until <0></0>. If possible, another moderator decides. You are " +
                "notified of the answer."
              }
              parts={{ 0: <Time at={until} /> }}
            />
          }
          why={t("Why should it be restored?")}
          ask={t("Appeal")}
        />
      ) : (
        <Notice>{t("The 20 days to appeal have passed.")}</Notice>
      )}
    </>
  );
}
