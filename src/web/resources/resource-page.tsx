import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { draftTargets } from "#community/discussions";
import { markResourceSeen } from "#community/notifications";
import { getTombstone } from "#community/resources";
import { isSignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { AccessLost } from "../live/access-lost.tsx";
import { useAccessLost } from "../live/use-access-lost.ts";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader, addCacheTags } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { previewPost } from "../composer/preview-data.ts";
import { attachPicture } from "../composer/form-attachments.ts";
import type { Route } from "./+types/resource-page";
import { ResourceComments } from "./resource-comments.tsx";
import { FileView } from "./files/file-view.tsx";
import { ResourceLinkCard } from "./link-card.tsx";
import { DocumentOutline, DocumentView } from "./document-view.tsx";
import { HiddenResourceNotice } from "./hidden-resource.tsx";
import { RemovedResource, RemovedResourceNotice } from "./removed-resource.tsx";
import { type ResourcePageData, getResourcePage } from "./resource-data.ts";
import { ResourceHead } from "./resource-head.tsx";
import { redirectWithNotice } from "../notices/notice.ts";
import { runResourceCommand } from "./resource-commands.ts";
import { SidePanel } from "./side-panel.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx, app, params, url }) => {
  const wanted = params["resourceId"] ?? "";
  const page = await getResourcePage(app, db, viewer, wanted, url).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.reason !== "gone") throw error;
    return data(await getTombstone(db, viewer, wanted), { status: 410 });
  });
  if (!("resource" in page)) return page;
  const { id, group } = page.resource;
  if (isSignedIn(viewer))
    await app.database.inTransaction((tx) => markResourceSeen(tx, viewer, { resourceId: id }));
  addCacheTags(
    ctx,
    "settings",
    `resource:${id}`,
    ...(group ? [`group:${group.id}`] : []),
    "discussions",
    "resources",
    "people",
  );
  return { ...page, asOf: ctx.now.getTime() };
});

export const action = defineAction(async ({ app, ctx, db, viewer, form, params, url }) => {
  const id = params["resourceId"] ?? "";
  const writtenIn = draftTargets.resource(id);
  await attachPicture(app, viewer, writtenIn, form);
  const preview = await previewPost(db, viewer, writtenIn, form);
  if (preview) return data(preview);
  const outcome = await app.database.inTransaction((tx) => runResourceCommand(tx, viewer, id, form, url));
  // A form that was sent in the background does not navigate.
  return form.has("fetched") ? data(null) : redirectWithNotice(ctx, outcome);
});

/** After a conflict the page loads the other person's changes; after other refusals nothing has changed. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((page, t) => {
  if (!("resource" in page)) return { title: t("Gone"), hidden: true };
  const { resource, excerpt } = page;
  const open =
    resource.state === "published" &&
    (!resource.group || (resource.group.visibility === "public" && resource.audience === "group"));
  return {
    title: resource.title,
    description: resource.why || excerpt || undefined,
    ...(open ? { canonical: urls.resource(resource.id) } : { hidden: true }),
  };
});

// The key resets all state when another resource is opened.
export default function ResourcePage({ loaderData }: Route.ComponentProps) {
  if (!("resource" in loaderData)) return <RemovedResource {...loaderData} />;
  return <ResourceContent key={loaderData.resource.id} {...loaderData} />;
}

function ResourceContent(page: ResourcePageData) {
  const t = useTranslate();
  const { resource, headings } = page;
  const [shutOff, onAccessLost] = useAccessLost(urls.resource(resource.id));
  if (shutOff) return <AccessLost {...shutOff} to={{ href: urls.resources(), name: t("Resources") }} />;
  return (
    <div
      className={`grid justify-center gap-x-12 gap-y-8
        ${
          resource.kind === "document"
            ? "grid-cols-[minmax(0,var(--container-column))] " +
              "wide:grid-cols-[minmax(0,var(--container-column))_18.5rem]"
            : "wide:grid-cols-[minmax(0,1fr)_18.5rem]"
        }`}
    >
      <div className="min-w-0">
        <RemovedResourceNotice resource={resource} can={page.can} />
        <HiddenResourceNotice resource={resource} pending={page.pendingChanges} can={page.can} />
        <article>
          <ResourceHead page={page} />
          <DocumentOutline headings={headings} where="above" />
          <section aria-label={t("Resource")} className="mt-6">
            {resource.kind === "document" && <DocumentView html={page.html} language={resource.language} />}
            {resource.url !== null && <ResourceLinkCard page={page} />}
            {(resource.kind === "file" || resource.kind === "image") && (
              <FileView
                resource={resource}
                shown={page.shown}
                canReplace={page.can.edit || page.can.mendable !== null}
              />
            )}
          </section>
        </article>
        <RefusalNotice except={["comment", "edit", "restore-post", "delete"]} />
        <ResourceComments page={page} onAccessLost={onAccessLost} />
      </div>
      <SidePanel page={page}>
        <DocumentOutline headings={headings} where="beside" />
      </SidePanel>
    </div>
  );
}
