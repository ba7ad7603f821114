import { redirect } from "react-router";
import { comment, NewComment } from "#community/resources";
import { LIMITS } from "#community/rules";
import { pageMeta, RefusalNotice } from "../ui/index.ts";
import { parseForm } from "../forms.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/resource";
import { Comments } from "./comments.tsx";
import { FileView } from "./file-view.tsx";
import { LinkCard } from "./link-card.tsx";
import { Outline, Written } from "./written.tsx";
import { resourcePage } from "./resource-data.ts";
import { ResourceHead } from "./resource-head.tsx";
import { SidePanel } from "./side-panel.tsx";

export const loader = reading(async ({ db, viewer, visit, house, params, url }) => {
  const page = await resourcePage(house, db, viewer, params["resourceId"] ?? "", url);
  const { id, group } = page.resource;
  showing(visit, "settings", `resource:${id}`, ...(group ? [`group:${group.id}`] : []), "discussions", "people");
  return page;
});

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("resourceId", params["resourceId"] ?? "");
  const { number } = await house.database.inTransaction((tx) => comment(tx, viewer, parseForm(NewComment, form)));
  // The page on which the new comment stands last.
  const after = number > LIMITS.page.posts ? number - LIMITS.page.posts : undefined;
  return redirect(urls.resource(params["resourceId"]!, { after, comment: number }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ resource, excerpt }, _t) => ({
  title: resource.title,
  description: resource.why || excerpt || undefined,
  ...(resource.group && (resource.group.visibility !== "public" || resource.audience === "members")
    ? { hidden: true }
    : { canonical: urls.resource(resource.id) }),
}));

// What the page remembers of one resource ends with it.
export default function ResourcePage({ loaderData }: Route.ComponentProps) {
  return <Reading key={loaderData.resource.id} {...loaderData} />;
}

function Reading(page: Route.ComponentProps["loaderData"]) {
  const t = useWords();
  const { resource, headings } = page;
  return (
    <div className="grid gap-x-12 gap-y-8 wide:grid-cols-[minmax(0,1fr)_18.5rem]">
      <div className="min-w-0">
        <article>
          <ResourceHead resource={resource} />
          <Outline headings={headings} where="above" />
          <section aria-label={t("The resource")} className="mt-6">
            {resource.kind === "document" && <Written html={page.html} language={resource.language} />}
            {resource.kind === "link" && <LinkCard resource={resource} />}
            {resource.kind === "file" && <FileView resource={resource} shown={page.shown} />}
          </section>
        </article>
        <RefusalNotice except={["comment"]} />
        <Comments page={page} />
      </div>
      <SidePanel resource={resource} uses={page.uses}>
        <Outline headings={headings} where="beside" />
      </SidePanel>
    </div>
  );
}
