import { Form, redirect } from "react-router";
import { NewFileVersion, replaceFile, getResource } from "#community/resources";
import { resourceRules } from "#community/rules";
import { FILE_EXTENSIONS, requireUploader, getMaxBytes } from "#community/uploads";
import { notFound, Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { pageMeta, SubmitButton } from "../../ui/index.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/replace-file-page";
import { EditPageHead, VersionNote, ChangeReasonField } from "../editing/edit-page-parts.tsx";
import { FileChooser } from "./file-chooser.tsx";
import { UploadProgress } from "./upload-progress.tsx";
import { receiveResourceFiles } from "./receive-resource-files.ts";
import { useFormatSize } from "../library/resource-kinds.tsx";
import { useFileUploads } from "./use-file-uploads.ts";

export const middleware = [requireMember];

/** Whether the viewer may replace the file, and whether they must give a reason. */
export const loader = defineLoader(async ({ db, app, viewer, params }) => {
  const resource = await getResource(db, viewer, params["resourceId"] ?? "");
  const own = resourceRules.edit(viewer, resource) || resourceRules.mend(viewer, resource);
  if (!own && !resourceRules.amend(viewer, resource))
    throw new Refusal("not-allowed", "You cannot edit this.");
  if (!resource.file) throw notFound();
  const { id, title, changes, file } = resource;
  return {
    id,
    title,
    changes,
    fileName: file.fileName,
    needsReason: !own,
    endings: FILE_EXTENSIONS,
    most: await getMaxBytes(app.settings),
  };
});

/** The file is streamed to disk. */
export const action = defineAction(
  async ({ app, viewer, form, params }) => {
    const id = params["resourceId"] ?? "";
    form.set("resourceId", id);
    form.set("uploadId", String(form.get("uploadId[]") ?? ""));
    form.delete("uploadId[]");
    await app.database.inTransaction((tx) => replaceFile(tx, viewer, parseForm(NewFileVersion, form)));
    return redirect(urls.resource(id));
  },
  async ({ app, viewer, request }) => receiveResourceFiles(app, requireUploader(viewer), request),
);

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((page, t) => ({
  title: t("Replace “{title}”", { title: page.title }),
  hidden: true,
}));

export default function ReplaceFile({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <EditPageHead title={t("Replace file")} resource={page} />
      <p className="mb-4 text-quiet">
        {t("The resource keeps its address. The previous file stays available as a version.")}
      </p>
      <NewVersion key={page.id} page={page} />
    </>
  );
}

/**
 * Form for the new file and its note. With scripts the file is uploaded first, so that an interrupted upload
 * resumes.
 */
function NewVersion({ page }: { page: Route.ComponentProps["loaderData"] }) {
  const t = useTranslate();
  const size = useFormatSize();
  const hydrated = useHydrated();
  const { files, arrived, add, again, leave } = useFileUploads(1);
  return (
    <Form method="post" encType={hydrated ? undefined : "multipart/form-data"} className="grid gap-5">
      <input type="hidden" name="changes" value={page.changes} />
      <FileChooser
        label={t("New file")}
        hint={t("Up to {most}.", { most: size(page.most) })}
        accept={page.endings}
        required={!hydrated}
        chosen={(chosen) => {
          for (const { key } of files) leave(key);
          add(chosen);
        }}
      />
      {hydrated && <UploadProgress files={files} again={again} leave={leave} />}
      {arrived && <input type="hidden" name="uploadId[]" value={arrived[0]} />}
      <VersionNote />
      {page.needsReason && <ChangeReasonField />}
      <div>
        <SubmitButton busy={t("Sending…")} disabled={hydrated && !arrived}>
          {t("Replace file")}
        </SubmitButton>
      </div>
    </Form>
  );
}
