import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { place } from "#community/discussions";
import { sawResource } from "#community/notifications";
import { tombstoneFor } from "#community/resources";
import { isSignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { Shut } from "../live/shut.tsx";
import { useShut } from "../live/use-shut.ts";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { previewed } from "../writing/previewing.ts";
import { takePicture } from "../writing/taking-picture.ts";
import type { Route } from "./+types/resource";
import { Comments } from "./comments.tsx";
import { FileView } from "./file-view.tsx";
import { LinkCard } from "./link-card.tsx";
import { Outline, Written } from "./written.tsx";
import { Gone, RemovedNotice } from "./removed.tsx";
import { type ResourcePageData, resourcePage } from "./resource-data.ts";
import { ResourceHead } from "./resource-head.tsx";
import { doWithResource } from "./resource-verbs.ts";
import { SidePanel } from "./side-panel.tsx";

export const loader = reading(async ({ db, viewer, visit, house, params, url }) => {
  const wanted = params["resourceId"] ?? "";
  const page = await resourcePage(house, db, viewer, wanted, url).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.reason !== "gone") throw error;
    return data(await tombstoneFor(db, viewer, wanted), { status: 410 });
  });
  if (!("resource" in page)) return page;
  const { id, group } = page.resource;
  if (isSignedIn(viewer)) await house.database.inTransaction((tx) => sawResource(tx, viewer, { resourceId: id }));
  showing(visit, "settings", `resource:${id}`, ...(group ? [`group:${group.id}`] : []), "discussions", "resources", "people");
  return { ...page, asOf: visit.now.getTime() };
});

export const action = acting(async ({ house, db, viewer, form, params, url }) => {
  const id = params["resourceId"] ?? "";
  const writtenIn = place.resource(id);
  await takePicture(house, viewer, writtenIn, form);
  const preview = await previewed(db, viewer, writtenIn, form);
  if (preview) return data(preview);
  const to = await house.database.inTransaction((tx) => doWithResource(tx, viewer, id, form, url));
  // A background submission does not navigate.
  return form.has("fetched") ? data(null) : redirect(to);
});

/** After a conflict the page loads the other person's changes; other refusals have changed nothing. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((page, t) => {
  if (!("resource" in page)) return { title: t("No longer here"), hidden: true };
  const { resource, excerpt } = page;
  const open = !resource.removedAt && (!resource.group || (resource.group.visibility === "public" && resource.audience === "group"));
  return {
    title: resource.title,
    description: resource.why || excerpt || undefined,
    ...(open ? { canonical: urls.resource(resource.id) } : { hidden: true }),
  };
});

// The key resets all state for another resource.
export default function ResourcePage({ loaderData }: Route.ComponentProps) {
  if (!("resource" in loaderData)) return <Gone {...loaderData} />;
  return <Reading key={loaderData.resource.id} {...loaderData} />;
}

function Reading(page: ResourcePageData) {
  const t = useWords();
  const { resource, headings } = page;
  const [shutOff, shut] = useShut(urls.resource(resource.id));
  if (shutOff) return <Shut {...shutOff} to={{ href: urls.resources(), name: t("Resources") }} />;
  return (
    <div
      className={`grid justify-center gap-x-12 gap-y-8 ${resource.kind === "document" ? "grid-cols-[minmax(0,var(--container-column))] wide:grid-cols-[minmax(0,var(--container-column))_18.5rem]" : "wide:grid-cols-[minmax(0,1fr)_18.5rem]"}`}
    >
      <div className="min-w-0">
        <RemovedNotice resource={resource} may={page.may} />
        <article>
          <ResourceHead page={page} />
          <Outline headings={headings} where="above" />
          <section aria-label={t("The resource")} className="mt-6">
            {resource.kind === "document" && <Written html={page.html} language={resource.language} />}
            {resource.url !== null && <LinkCard page={page} />}
            {(resource.kind === "file" || resource.kind === "image") && (
              <FileView resource={resource} shown={page.shown} mayReplace={page.may.edit} />
            )}
          </section>
        </article>
        <RefusalNotice except={["comment", "edit", "restore-post", "delete"]} />
        <Comments page={page} shut={shut} />
      </div>
      <SidePanel page={page}>
        <Outline headings={headings} where="beside" />
      </SidePanel>
    </div>
  );
}
