import { useEffect } from "react";
import { Form, useNavigate } from "react-router";
import type { StorageQuota } from "#community/common";
import { SubmitButton } from "../../ui/index.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { FileChooser } from "./file-chooser.tsx";
import { UploadProgress } from "./upload-progress.tsx";
import { useFormatSize } from "../library/resource-kinds.tsx";
import { MAX_FILES_AT_ONCE, useFileUploads } from "./use-file-uploads.ts";

type Props = { quota: StorageQuota; most: number; endings: string; chosen: string };

/**
 * File upload: with the form or, with scripts, file by file as soon as files are chosen, so that interrupted
 * uploads resume.
 */
export function UploadFiles({ quota, most, endings, chosen }: Props) {
  const t = useTranslate();
  const size = useFormatSize();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const { files, arrived, add, again, leave } = useFileUploads(MAX_FILES_AT_ONCE);
  // The form with the details appears once all files are uploaded.
  const all = arrived?.join(",");
  useEffect(() => {
    if (all) void navigate(urls.newFiles({ group: chosen, files: all }));
  }, [all, chosen, navigate]);
  return (
    <Form method="post" encType="multipart/form-data" className="mt-5 grid gap-4">
      <FileChooser
        label={t("Choose files, or drop them here")}
        hint={
          <>
            {t("PDF, office files, pictures, audio, video, text and tables, up to {most} each.", {
              most: size(most),
            })}{" "}
            {t("You use {used} of {room}.", { used: size(quota.used), room: size(quota.most) })}
          </>
        }
        accept={endings}
        multiple
        required={!hydrated}
        chosen={add}
      />
      {hydrated ? (
        <UploadProgress files={files} again={again} leave={leave} />
      ) : (
        <div>
          <SubmitButton busy={t("Sending…")}>{t("Send")}</SubmitButton>
        </div>
      )}
    </Form>
  );
}
