import { Form, redirect } from "react-router";
import { answerFields, listFieldsToFill } from "#community/accounts";
import { requireMember } from "../auth-middleware.ts";
import { ProfileQuestionField } from "../account/settings/profile-question-fields.tsx";
import { parseAnswersForm } from "../account/settings/parse-profile-form.ts";
import { fieldError } from "../account/settings/settings-form.tsx";
import { withPrefixedFields } from "../account/settings/prefixed-fields.ts";
import { AccountFormErrors } from "../account/account-form-errors.tsx";
import { findRejectedForm } from "../ui/forms/form-result.ts";
import { readQueryParam } from "../form-parsing.ts";
import { pageMeta, SubmitButton, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { ownPathOrHome, urls } from "../urls.ts";
import { defineAction, defineLoader, requireSignedIn } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/profile-questions-page";

export const middleware = [requireMember];

const readNextPath = (url: URL) => ownPathOrHome(readQueryParam(url, "next", 300));

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const fields = (await listFieldsToFill(db, requireSignedIn(viewer))).filter(
    ({ required, said }) => required && said.length === 0,
  );
  if (fields.length === 0) throw redirect(readNextPath(url));
  return { fields };
});

export const action = defineAction(async ({ app, viewer, form, url }) => {
  const me = requireSignedIn(viewer);
  await withPrefixedFields("asked", form, (fields) => {
    const answers = parseAnswersForm(fields);
    return app.database.inTransaction((tx) => answerFields(tx, me, me.id, answers));
  });
  return redirect(readNextPath(url));
});

export const meta = pageMeta((_data, t) => ({ title: t("Required questions"), hidden: true }));

/**
 * Required profile questions that the person has not answered yet, with links to sign out and to their own
 * data.
 */
export default function ProfileQuestionsPage({ loaderData: { fields } }: Route.ComponentProps) {
  const t = useTranslate();
  const { me, community } = useRootData();
  const answer = useFormResult();
  return (
    <>
      <h1 className="font-serif text-headline font-semibold">{t("Required questions")}</h1>
      <p className="mt-2 text-quiet">
        {t("{community} requires this of all members.", { community: community.name })}{" "}
        {t("Choose who can see each answer, among those who can see your profile.")}
      </p>
      <Form method="post" className="mt-5 grid gap-5">
        <AccountFormErrors answer={answer} />
        {fields.map((field) => (
          <ProfileQuestionField
            key={field.id}
            field={field}
            typed={findRejectedForm(answer)?.typed[`asked-${field.id}`]}
            fault={fieldError(answer, `asked-${field.id}`)}
          />
        ))}
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Continue")}</SubmitButton>
        </div>
      </Form>
      <div
        className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4 text-small
        text-quiet"
      >
        {me && (
          <p>
            <Rich
              text="Your <0>settings</0> are available meanwhile."
              parts={{ 0: <Link to={urls.settings(me.id)} /> }}
            />
          </p>
        )}
        <Form method="post" action={urls.logout()}>
          <button type="submit" className="button" data-kind="quiet">
            {t("Sign out")}
          </button>
        </Form>
      </div>
    </>
  );
}
