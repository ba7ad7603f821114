import { useEffect, useRef, useState } from "react";
import { type UploadError, uploadFile } from "../resources/files/send-file.ts";
import { Button } from "../ui/forms/button.tsx";
import { useTranslate } from "../i18n/index.ts";
import { useAttachment } from "./use-attachment.ts";

type PendingFile = { id: number; file: File };
type PendingFilesProps = { chosen: PendingFile[]; done: (id: number) => void };

/** Uploads below the field, with their progress. A finished upload becomes a link in the text. */
export default function PendingFiles({ chosen, done }: PendingFilesProps) {
  return (
    <ul className="mt-2 grid gap-2">
      {chosen.map(({ id, file }) => (
        <FileUpload key={id} file={file} done={() => done(id)} />
      ))}
    </ul>
  );
}

type UploadState = { share: number } | { fault: UploadError } | { id: string };

function FileUpload({ file, done }: { file: File; done: () => void }) {
  const t = useTranslate();
  const box = useRef<HTMLLIElement>(null);
  const [state, setState] = useState<UploadState>({ share: 0 });
  const [attempt, setAttempt] = useState({ file });
  useEffect(() => {
    setState({ share: 0 });
    return uploadFile(attempt.file, (uploadStatus) => {
      if (uploadStatus.share !== undefined) return setState({ share: uploadStatus.share });
      if ("fault" in uploadStatus) return setState({ fault: uploadStatus.fault });
      setState({ id: uploadStatus.id });
    });
  }, [attempt]);
  const put = () => {
    if (!("id" in state)) return;
    insertLink(box.current?.closest("form")?.elements.namedItem("body"), file.name, state.id);
    done();
  };
  const waited = useAttachment(box, "id" in state ? "there" : "fault" in state ? "failed" : "going", put);
  // A file needs no description beyond its name, so its link is inserted immediately.
  useEffect(() => {
    if ("id" in state && !waited) put();
  });
  return (
    <li ref={box} className="rounded-control border border-line p-3">
      <p dir="auto" className="truncate text-small font-semibold">
        {file.name}
      </p>
      {"fault" in state ? (
        <p role="alert" className="fault">
          {state.fault.sentence ?? t("The upload failed. Try again.")}
        </p>
      ) : (
        <progress
          className="w-full"
          max={1}
          value={"share" in state ? state.share : 1}
          aria-label={t("Uploading {name}", { name: file.name })}
        />
      )}
      {waited && (
        <p role="status" className="hint">
          {t("Your text is sent when the upload is complete.")}
        </p>
      )}
      <p className="mt-2 flex flex-wrap gap-2">
        {"fault" in state && <Button onClick={() => setAttempt({ file })}>{t("Retry")}</Button>}
        <Button onClick={done}>{t("Cancel")}</Button>
      </p>
    </li>
  );
}

function insertLink(field: Element | RadioNodeList | null | undefined, name: string, id: string) {
  if (!(field instanceof HTMLTextAreaElement)) return;
  const before = field.value.slice(0, field.selectionStart);
  const gap = before === "" || /\s$/.test(before) ? "" : "\n";
  field.setRangeText(
    `${gap}[${name.replace(/[[\]\n\\]/g, " ").trim()}](/files/${id})\n`,
    before.length,
    field.selectionEnd,
    "end",
  );
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}
