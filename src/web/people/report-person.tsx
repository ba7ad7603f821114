import { data } from "react-router";
import { NewPersonReport, reportPerson } from "#community/moderation";
import { personFor } from "#community/people";
import { personRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { ReportPage } from "../moderation/report-page.tsx";
import { ButtonLink, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/report-person";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, params }) => {
  const person = await personFor(db, viewer, params["id"]!);
  if (!personRules.report(viewer, person)) throw notFound();
  return { id: person.id, name: person.name };
});

export const action = acting(async ({ db, house, viewer, form, params }) => {
  // The address may name them by their user name.
  form.set("personId", (await personFor(db, viewer, params["id"]!)).id);
  await house.database.inTransaction((tx) => reportPerson(tx, viewer, parseForm(NewPersonReport, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Report somebody"), hidden: true }));

/** Shows somebody's page to staff, with what is wrong with it. */
export default function ReportPerson({ loaderData: { id, name } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <ReportPage
      title={t("Report somebody")}
      name={name}
      says={t(
        "Those who look after this community will see this profile as you see it now, what you say about it, and your name. What somebody wrote is reported where it stands.",
      )}
      thanks={t("Thank you. Those who look after this community will read it. {name} is not told, and you hear how it ends.", { name })}
      back={<ButtonLink to={urls.person(id)}>{t("Back to the profile")}</ButtonLink>}
    />
  );
}
