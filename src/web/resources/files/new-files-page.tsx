import { redirect } from "react-router";
import { listGroups } from "#community/groups";
import { addFileOrAwaitApproval, NewFile } from "#community/resources";
import { resourceRules } from "#community/rules";
import { getStorageQuota } from "#community/common";
import {
  deleteUpload,
  FILE_EXTENSIONS,
  listUnusedUploads,
  requireUploader,
  getMaxBytes,
} from "#community/uploads";
import { invalid } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam, cleanText, parseForm } from "../../form-parsing.ts";
import { PageHeader, pageMeta, RefusalNotice, Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, requireSignedIn } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-files-page";
import { UploadFiles } from "./upload-files.tsx";
import { DescribeFiles } from "./describe-files.tsx";
import { receiveResourceFiles, MAX_FILES } from "./receive-resource-files.ts";

export const middleware = [requireMember];

const readFileIds = (url: URL) =>
  readQueryParam(url, "files", MAX_FILES * 37)
    .split(",")
    .slice(0, MAX_FILES);

export const loader = defineLoader(async ({ db, app, viewer, ctx, url }) => {
  const me = requireSignedIn(viewer);
  const [{ rows }, files, quota, most] = await Promise.all([
    listGroups(db, viewer, { tab: "mine" }),
    listUnusedUploads(db, viewer, readFileIds(url)),
    getStorageQuota(db, me),
    getMaxBytes(app.settings),
  ]);
  const groups = rows
    .filter((group) => resourceRules.add(viewer, "file", group))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const queryParam = readQueryParam(url, "group");
  return {
    files,
    groups,
    chosen: groups.find((group) => group.id === queryParam || group.slug === queryParam)?.id ?? "",
    forEveryone: resourceRules.add(viewer, "file", null),
    quota,
    most,
    endings: FILE_EXTENSIONS,
    locale: ctx.locale,
  };
});

/** Files are not read into memory with the rest of the form, but streamed to disk. */
export const action = defineAction(
  async ({ app, viewer, form, url }) => {
    const group = readQueryParam(url, "group");
    const dropped = form.get("drop");
    if (typeof dropped === "string") {
      await deleteUpload(app, viewer, dropped);
      return redirect(
        urls.newFiles({
          group,
          files: readFileIds(url)
            .filter((id) => id !== dropped)
            .join(","),
        }),
      );
    }
    const ids = form.getAll("uploadId[]").map(String).slice(0, MAX_FILES);
    if (form.get("intent") !== "keep") return redirect(urls.newFiles({ group, files: ids.join(",") }));
    if (ids.length === 0) throw invalid("file", "Choose a file first.");
    const added = await app.database.inTransaction(async (tx) => {
      const made: ({ id: string } | { waits: string })[] = [];
      for (const id of ids)
        made.push(await addFileOrAwaitApproval(tx, viewer, parseForm(NewFile, formForFile(form, id))));
      return made;
    });
    const [first] = added;
    if (!first || "waits" in first || added.some((it) => "waits" in it))
      return redirect(`${urls.drafts()}#waiting`);
    return redirect(added.length === 1 ? urls.resource(first.id) : urls.resources({ sort: "newest" }));
  },
  async ({ app, viewer, request }) => receiveResourceFiles(app, requireUploader(viewer), request),
);

/** Creates the form for one of the files, with its own title and reason and the shared fields. */
function formForFile(form: FormData, id: string): FormData {
  const about = new FormData();
  for (const name of ["tags", "groupId", "language", "licence"])
    about.set(name, String(form.get(name) ?? ""));
  for (const name of ["title", "why"]) about.set(name, cleanText(String(form.get(`${name}-${id}`) ?? "")));
  about.set("uploadId", id);
  return about;
}

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Add files"),
  hidden: true,
}));

export default function NewFiles({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { files, chosen } = loaderData;
  const to = (kind: string) => urls.newResource({ kind, group: chosen });
  return (
    <>
      <PageHeader title={t("Add files")} lead={t("Something worth coming back to, with a sentence why.")} />
      <Tabs
        label={t("Kind of resource")}
        tabs={[
          { to: to("link"), label: t("Link"), current: false },
          { to: urls.newFiles({ group: chosen }), label: t("Files"), current: true },
          { to: to("document"), label: t("Document"), current: false },
        ]}
      />
      <div className="my-5 empty:hidden">
        <RefusalNotice />
      </div>
      {files.length > 0 ? <DescribeFiles {...loaderData} /> : <UploadFiles {...loaderData} />}
    </>
  );
}
