import { data, redirect } from "react-router";
import { getDraft, getReturnedResource, draftTargets } from "#community/discussions";
import { listGroups } from "#community/groups";
import {
  addDocumentOrAwaitApproval,
  addLinkOrAwaitApproval,
  getSavablePost,
  type ExistingResource,
  findExistingResources,
  NewDocument,
  NewLink,
} from "#community/resources";
import { resourceRules } from "#community/rules";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { FormErrors, PageHeader, pageMeta, Tabs } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-resource-page";
import { NewResourceForm } from "./new-resource-form.tsx";

export const middleware = [requireMember];

const KINDS = ["link", "document"] as const;

export const loader = defineLoader(async ({ db, viewer, ctx, url }) => {
  const postId = readQueryParam(url, "post");
  const sourcePost = postId ? await getSavablePost(db, viewer, postId) : null;
  const kind =
    KINDS.find((name) => name === readQueryParam(url, "kind")) ??
    (sourcePost && sourcePost.links.length === 0 ? "document" : "link");
  // A text from a group that not everyone can read must stay in that group; a link may be shared anywhere.
  const stays = sourcePost !== null && kind === "document" && !sourcePost.open;
  const { rows } = await listGroups(db, viewer, { tab: "mine" });
  const groups = rows
    .filter((group) => resourceRules.add(viewer, kind, group) && (!stays || group.id === sourcePost.groupId))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const wanted = readQueryParam(url, "group") || sourcePost?.groupId;
  return {
    kind,
    groups,
    /** Preselects the group whose page linked here; empty for the whole community. */
    chosen: groups.find((group) => group.id === wanted || group.slug === wanted)?.id ?? "",
    forEveryone: resourceRules.add(viewer, kind, null) && !stays,
    sourcePost,
    returned: await getReturnedResource(db, viewer, readQueryParam(url, "returned")),
    locale: ctx.locale,
    place: draftTargets.newResource,
    draft: kind === "document" && !sourcePost ? await getDraft(db, viewer, draftTargets.newResource) : null,
  };
});

export const action = defineAction(async ({ app, db, viewer, form }) => {
  if (form.get("intent") === "link" && !form.has("anyway")) {
    const existingResources = await findExistingResources(db, viewer, parseForm(NewLink, form).url);
    if (existingResources.length > 0)
      return data({ existing: existingResources, typed: readTypedFields(form) }, { status: 409 });
  }
  const added = await app.database.inTransaction((tx) =>
    form.get("intent") === "document"
      ? addDocumentOrAwaitApproval(tx, viewer, parseForm(NewDocument, form))
      : addLinkOrAwaitApproval(tx, viewer, parseForm(NewLink, form)),
  );
  return redirect("waits" in added ? `${urls.drafts()}#waiting` : urls.resource(added.id));
});

const readTypedFields = (form: FormData) =>
  Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Add resource"),
  hidden: true,
}));

export default function NewResource({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { kind, chosen, sourcePost } = loaderData;
  const answer = useFormResult<{ existing?: ExistingResource[] }>();
  const to = (name: (typeof KINDS)[number]) =>
    urls.newResource({ kind: name, group: chosen, post: sourcePost?.postId });
  return (
    <>
      <PageHeader
        title={t("Add resource")}
        lead={t("Something worth coming back to, with a sentence why.")}
      />
      <Tabs
        label={t("Kind of resource")}
        tabs={[
          { to: to("link"), label: t("Link"), current: kind === "link" },
          { to: urls.newFiles({ group: chosen }), label: t("Files"), current: false },
          { to: to("document"), label: t("Document"), current: kind === "document" },
        ]}
      />
      <div className="my-5 empty:hidden">
        <FormErrors />
      </div>
      <NewResourceForm key={kind} {...loaderData} existing={answer?.existing ?? []} />
    </>
  );
}
