import { data } from "react-router";
import { NewResourceReport, reportResource } from "#community/moderation";
import { resourceFor } from "#community/resources";
import { resourceRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { ReportPage } from "../moderation/report-page.tsx";
import { ButtonLink, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/report-resource";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, params }) => {
  const resource = await resourceFor(db, viewer, params["resourceId"]!);
  if (!resourceRules.report(viewer, resource)) throw notFound();
  return { id: resource.id, title: resource.title };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("resourceId", params["resourceId"] ?? "");
  await house.database.inTransaction((tx) => reportResource(tx, viewer, parseForm(NewResourceReport, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Report a resource"), hidden: true }));

/** Shows a resource to those who look after its place, with what is wrong with it. */
export default function ReportResource({ loaderData: { id, title } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <ReportPage
      title={t("Report a resource")}
      name={title}
      says={t(
        "Those who look after where it stands, and after this community, will see what it says now, what you say about it, and your name. Comments are reported where they stand.",
      )}
      thanks={t("Thank you. Those who look after it will read it. Whoever keeps it is not told that it was you, and you hear how it ends.")}
      back={<ButtonLink to={urls.resource(id)}>{t("Back to the resource")}</ButtonLink>}
    />
  );
}
