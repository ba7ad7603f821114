import { useTranslate } from "../../i18n/index.ts";
import type { UploadingFile } from "./use-file-uploads.ts";

type Props = { files: UploadingFile[]; again: (key: number) => void; leave: (key: number) => void };

/** Progress of each upload, and the errors of refused files. */
export function UploadProgress({ files, again, leave }: Props) {
  const t = useTranslate();
  const arrived = files.filter((file) => file.id !== null).length;
  return (
    <>
      <p role="status" className="text-small text-quiet">
        {files.length > 0 && t("{arrived} of {count} uploaded.", { arrived, count: files.length })}
      </p>
      <ul className="grid gap-2">
        {files.map((file) => (
          <li key={file.key} className="panel grid gap-1 p-3">
            <span className="flex items-center justify-between gap-3">
              <span dir="auto" className="min-w-0 font-semibold break-all">
                {file.name}
              </span>
              {file.id === null && (
                <button
                  type="button"
                  className="button"
                  data-kind="quiet"
                  aria-label={t("Remove: {name}", { name: file.name })}
                  onClick={() => leave(file.key)}
                >
                  {t("Remove")}
                </button>
              )}
            </span>
            {file.fault === null ? (
              <progress
                className="w-full accent-accent"
                max={1}
                value={file.share}
                aria-label={t("Upload progress of {name}", { name: file.name })}
              />
            ) : (
              <span className="flex flex-wrap items-center justify-between gap-2">
                <span className="fault">{file.fault.sentence ?? t("The upload failed. Try again.")}</span>
                {file.canTryAgain && (
                  <button type="button" className="button" onClick={() => again(file.key)}>
                    {t("Retry")}
                  </button>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
