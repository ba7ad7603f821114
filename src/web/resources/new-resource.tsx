import { redirect } from "react-router";
import { groupsFor } from "#community/groups";
import { addDocument, addLink, NewDocument, NewLink } from "#community/resources";
import { groupRules, resourceRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { FormFaults, PageHead, pageMeta, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/new-resource";
import { NewResourceForm } from "./new-resource-form.tsx";

export const middleware = [membersOnly];

const KINDS = ["link", "document"] as const;

export const loader = reading(async ({ db, viewer, visit, url }) => {
  const kind = KINDS.find((name) => name === asked(url, "kind")) ?? "link";
  const { rows } = await groupsFor(db, viewer, { tab: "mine" });
  const groups = rows
    .filter((group) => groupRules.addResource(viewer, group))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const wanted = asked(url, "group");
  return {
    kind,
    groups,
    /** The group whose page led here; empty for the whole community. */
    chosen: groups.find((group) => group.id === wanted || group.slug === wanted)?.id ?? "",
    forEveryone: resourceRules.addForEveryone(viewer, kind),
    locale: visit.locale,
  };
});

export const action = acting(async ({ house, viewer, form }) => {
  const { id } = await house.database.inTransaction((tx) =>
    form.get("intent") === "document"
      ? addDocument(tx, viewer, parseForm(NewDocument, form))
      : addLink(tx, viewer, parseForm(NewLink, form)),
  );
  return redirect(urls.resource(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Add a resource"), hidden: true }));

export default function NewResource({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { kind, chosen } = loaderData;
  const to = (name: (typeof KINDS)[number]) => urls.newResource({ kind: name, group: chosen });
  return (
    <>
      <PageHead title={t("Add a resource")} lead={t("Something worth coming back to, with a word on why.")} />
      <Tabs
        label={t("Kind of resource")}
        tabs={[
          { to: to("link"), label: t("A link"), current: kind === "link" },
          { to: to("document"), label: t("A document"), current: kind === "document" },
        ]}
      />
      <div className="my-5 empty:hidden">
        <FormFaults />
      </div>
      <NewResourceForm key={kind} {...loaderData} />
    </>
  );
}
