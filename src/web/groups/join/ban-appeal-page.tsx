import { redirect } from "react-router";
import { appealGroupBan, getGroup, NewAppeal, getOwnBan } from "#community/groups";
import { appealRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { Notice, PageHeader, pageMeta, Time } from "../../ui/index.ts";
import { AppealForm, SubmittedAppeal, QuotedText } from "../../moderation/appeals/appeal-form.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/ban-appeal-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const ban = await getOwnBan(db, viewer, params["groupId"]!).catch((error) =>
    redirectIfNotBanned(db, viewer, params["groupId"]!, error),
  );
  return { ban, open: appealRules.ask(viewer, ban, ctx.now), until: appealRules.until(ban) };
});

/** Redirects people who are no longer banned to the group, if they may see it. */
async function redirectIfNotBanned(db: Db, viewer: Viewer, groupId: string, error: unknown): Promise<never> {
  if (!(error instanceof Refusal)) throw error;
  throw redirect(urls.group((await getGroup(db, viewer, groupId)).slug));
}

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("groupId", params["groupId"]!);
  await app.database.inTransaction((tx) => appealGroupBan(tx, viewer, parseForm(NewAppeal, form)));
  return redirect(urls.groupAppeal(params["groupId"]!));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ ban }, t) => ({
  title: t("Appeal your ban from {group}", { group: ban.name }),
  hidden: true,
}));

/** Shows a banned person the reason and the end of the ban, and a form for their only appeal. */
export default function BanAppealPage({ loaderData: { ban, open, until } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Appeal your ban from {group}", { group: ban.name })} />
      <section aria-labelledby="kept-out" className="panel mb-5 max-w-reading p-4">
        <h2 id="kept-out" className="font-semibold">
          {t("Your status")}
        </h2>
        <p>
          {ban.until ? (
            <Rich
              text="You are banned. Decided <0></0>; ends <1></1>."
              parts={{ 0: <Time at={ban.since} />, 1: <Time at={ban.until} /> }}
            />
          ) : (
            <Rich
              text="You are banned permanently (decided <0></0>)."
              parts={{ 0: <Time at={ban.since} /> }}
            />
          )}
        </p>
        {ban.reason && <QuotedText label={t("Reason")} words={ban.reason} />}
      </section>
      {ban.appealedAt ? (
        <SubmittedAppeal
          text={ban.appeal}
          askedAt={ban.appealedAt}
          answer={ban.answer}
          stays={
            ban.declinedAt && (
              <Rich
                text="<0>The decision was upheld</0> <1></1>."
                parts={{ 0: <strong />, 1: <Time at={ban.declinedAt} /> }}
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
          why={t("Why should the ban be lifted?")}
          ask={t("Appeal ban")}
        />
      ) : (
        <Notice>{t("The 20 days to appeal have passed.")}</Notice>
      )}
    </>
  );
}
