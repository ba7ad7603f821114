import { data } from "react-router";
import { groupFor } from "#community/groups";
import { NewGroupReport, reportGroup } from "#community/moderation";
import { groupRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { ReportPage } from "../moderation/report-page.tsx";
import { ButtonLink, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/report-group";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, params }) => {
  const group = await groupFor(db, viewer, params["groupId"]!);
  if (!groupRules.report(viewer, group)) throw notFound();
  return { slug: group.slug, name: group.name };
});

export const action = acting(async ({ db, house, viewer, form, params }) => {
  form.set("groupId", (await groupFor(db, viewer, params["groupId"]!)).id);
  await house.database.inTransaction((tx) => reportGroup(tx, viewer, parseForm(NewGroupReport, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Report a group"), hidden: true }));

/** Shows what a group says of itself to staff, with what is wrong with it. */
export default function ReportGroup({ loaderData: { slug, name } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <ReportPage
      title={t("Report a group")}
      name={name}
      says={t(
        "Those who look after this community will see what the group says of itself now, what you say about it, and your name. What somebody wrote in it is reported where it stands.",
      )}
      thanks={t("Thank you. Those who look after this community will read it. Nobody in the group is told, and you hear how it ends.")}
      back={<ButtonLink to={urls.group(slug)}>{t("Back to the group")}</ButtonLink>}
    />
  );
}
