import { Form, redirect } from "react-router";
import { answerFields, fieldsToFill } from "#community/people";
import { membersOnly } from "../auth.ts";
import { AskedField } from "../account/settings/asked-fields.tsx";
import { answersOf } from "../account/settings/profile-input.ts";
import { faultOf } from "../account/settings/settings-form.tsx";
import { under } from "../account/settings/under.ts";
import { Faults, refusedIn } from "../account/faults.tsx";
import { asked } from "../forms.ts";
import { pageMeta, SubmitButton, useRoot } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/asked";

export const middleware = [membersOnly];

const nextIn = (url: URL) => ownPath(asked(url, "next", 300));

export const loader = reading(async ({ db, viewer, url }) => {
  const fields = (await fieldsToFill(db, signedIn(viewer))).filter(({ required, said }) => required && said.length === 0);
  if (fields.length === 0) throw redirect(nextIn(url));
  return { fields };
});

export const action = acting(async ({ house, viewer, form, url }) => {
  const me = signedIn(viewer);
  await under("asked", form, (fields) => {
    const answers = answersOf(fields);
    return house.database.inTransaction((tx) => answerFields(tx, me, me.id, answers));
  });
  return redirect(nextIn(url));
});

export const meta = pageMeta((_data, t) => ({ title: t("Before you go on"), hidden: true }));

/**
 * Required profile questions that the person has not answered yet, with links to sign out and to their own
 * data.
 */
export default function Asked({ loaderData: { fields } }: Route.ComponentProps) {
  const t = useWords();
  const { me, community } = useRoot();
  const answer = useAnswer();
  return (
    <>
      <h1 className="font-serif text-headline font-semibold">{t("Before you go on")}</h1>
      <p className="mt-2 text-quiet">
        {t("{community} asks this of everybody.", { community: community.name })}{" "}
        {t("Each line is seen by whom you choose, and by nobody who may not see your profile.")}
      </p>
      <Form method="post" className="mt-5 grid gap-5">
        <Faults answer={answer} />
        {fields.map((field) => (
          <AskedField
            key={field.id}
            field={field}
            typed={refusedIn(answer)?.typed[`asked-${field.id}`]}
            fault={faultOf(answer, `asked-${field.id}`)}
          />
        ))}
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Continue")}</SubmitButton>
        </div>
      </Form>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4 text-small text-quiet">
        {me && (
          <p>
            <Rich
              text="Your <0>settings</0> are open meanwhile: your data, and the way to leave."
              parts={[<Link to={urls.settings(me.id)} />]}
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
