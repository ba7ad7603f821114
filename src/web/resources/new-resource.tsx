import { data, redirect } from "react-router";
import { draftFor, place } from "#community/discussions";
import { groupsFor } from "#community/groups";
import { addDocument, addLink, keepableIn, type KeptAlready, keptAlready, NewDocument, NewLink } from "#community/resources";
import { resourceRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { FormFaults, PageHead, pageMeta, Tabs } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/new-resource";
import { NewResourceForm } from "./new-resource-form.tsx";

export const middleware = [membersOnly];

const KINDS = ["link", "document"] as const;

export const loader = reading(async ({ db, viewer, visit, url }) => {
  const postId = asked(url, "post");
  const keeping = postId ? await keepableIn(db, viewer, postId) : null;
  const kind = KINDS.find((name) => name === asked(url, "kind")) ?? (keeping && keeping.links.length === 0 ? "document" : "link");
  // A text from a group that not everyone can read stays in it; a link is not private.
  const stays = keeping !== null && kind === "document" && !keeping.open;
  const { rows } = await groupsFor(db, viewer, { tab: "mine" });
  const groups = rows
    .filter((group) => resourceRules.add(viewer, kind, group) && (!stays || group.id === keeping.groupId))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const wanted = asked(url, "group") || keeping?.groupId;
  return {
    kind,
    groups,
    /** The group whose page linked here; empty for the whole community. */
    chosen: groups.find((group) => group.id === wanted || group.slug === wanted)?.id ?? "",
    forEveryone: resourceRules.add(viewer, kind, null) && !stays,
    keeping,
    locale: visit.locale,
    place: place.newResource,
    draft: kind === "document" && !keeping ? await draftFor(db, viewer, place.newResource) : null,
  };
});

export const action = acting(async ({ house, db, viewer, form }) => {
  if (form.get("intent") === "link" && !form.has("anyway")) {
    const kept = await keptAlready(db, viewer, parseForm(NewLink, form).url);
    if (kept.length > 0) return data({ kept, typed: typedOf(form) }, { status: 409 });
  }
  const { id } = await house.database.inTransaction((tx) =>
    form.get("intent") === "document"
      ? addDocument(tx, viewer, parseForm(NewDocument, form))
      : addLink(tx, viewer, parseForm(NewLink, form)),
  );
  return redirect(urls.resource(id));
});

const typedOf = (form: FormData) => Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Add a resource"), hidden: true }));

export default function NewResource({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { kind, chosen, keeping } = loaderData;
  const answer = useAnswer<{ kept?: KeptAlready[] }>();
  const to = (name: (typeof KINDS)[number]) => urls.newResource({ kind: name, group: chosen, post: keeping?.postId });
  return (
    <>
      <PageHead title={t("Add a resource")} lead={t("Something worth coming back to, with a word on why.")} />
      <Tabs
        label={t("Kind of resource")}
        tabs={[
          { to: to("link"), label: t("A link"), current: kind === "link" },
          { to: urls.newFiles({ group: chosen }), label: t("Files"), current: false },
          { to: to("document"), label: t("A document"), current: kind === "document" },
        ]}
      />
      <div className="my-5 empty:hidden">
        <FormFaults />
      </div>
      <NewResourceForm key={kind} {...loaderData} kept={answer?.kept ?? []} />
    </>
  );
}
