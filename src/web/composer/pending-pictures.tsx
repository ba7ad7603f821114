import { useEffect, useId, useRef, useState } from "react";
import type { NewPicture } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { Button } from "../ui/forms/button.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { useAttachment } from "./use-attachment.ts";

type PendingPicture = { id: number; file: File };
type PendingPicturesProps = { chosen: PendingPicture[]; target: string; done: (id: number) => void };

/** Picture uploads below the field: progress, alternative text, and a button that inserts them. */
export default function PendingPictures({ chosen, target, done }: PendingPicturesProps) {
  return (
    <ul className="mt-2 grid gap-2">
      {chosen.map(({ id, file }) => (
        <PictureUpload key={id} file={file} target={target} done={() => done(id)} />
      ))}
    </ul>
  );
}

type UploadState =
  | { at: "going"; share: number }
  | { at: "there"; picture: NewPicture }
  | { at: "failed"; tooLarge?: true; sentence: string | null };

function PictureUpload({ file, target, done }: { file: File; target: string; done: () => void }) {
  const t = useTranslate();
  const id = useId();
  const box = useRef<HTMLLIElement>(null);
  const [words, setWords] = useState("");
  const [state, setState] = useState<UploadState>({ at: "going", share: 0 });
  useEffect(() => uploadPicture(file, target, setState), [file, target]);
  const insert = () => {
    const field = box.current?.closest("form")?.elements.namedItem("body");
    if (state.at !== "there" || !(field instanceof HTMLTextAreaElement)) return;
    const alt = words.replace(/[[\]\n\\]/g, " ").trim();
    const before = field.value.slice(0, field.selectionStart).trimEnd();
    field.setRangeText(
      `${before === "" ? "" : "\n\n"}![${alt}](${state.picture.address})\n\n`,
      before.length,
      field.selectionEnd,
      "end",
    );
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    done();
  };
  const waited = useAttachment(box, state.at, insert);
  return (
    <li ref={box} className="rounded-control border border-line p-3">
      <p dir="auto" className="truncate text-small font-semibold">
        {file.name}
      </p>
      {state.at === "going" && (
        <progress
          className="w-full"
          max={1}
          value={state.share}
          aria-label={t("Uploading {name}", { name: file.name })}
        />
      )}
      {state.at === "failed" ? (
        <p role="alert" className="fault">
          {state.tooLarge
            ? t("That picture is larger than 10 MB.")
            : (state.sentence ?? t("The picture did not arrive. Try again."))}
        </p>
      ) : (
        <div className="field mt-1">
          <label htmlFor={id}>{t("Alt text")}</label>
          <input
            id={id}
            className="input"
            dir="auto"
            maxLength={LIMITS.alt}
            autoComplete="off"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      )}
      {waited && (
        <p role="status" className="hint">
          {t("Your text is sent when the upload is complete.")}
        </p>
      )}
      <p className="mt-2 flex flex-wrap gap-2">
        {state.at !== "failed" && (
          <Button kind="primary" onClick={insert} aria-disabled={state.at !== "there" || undefined}>
            {t("Insert")}
          </Button>
        )}
        <Button onClick={done}>{t("Cancel")}</Button>
      </p>
    </li>
  );
}

/** `fetch` does not report progress, so XMLHttpRequest is used. Returns a function that aborts. */
function uploadPicture(file: File, target: string, report: (state: UploadState) => void): () => void {
  if (file.size > LIMITS.postPicture.bytes) {
    const later = setTimeout(() => report({ at: "failed", tooLarge: true, sentence: null }));
    return () => clearTimeout(later);
  }
  const request = new XMLHttpRequest();
  const failed = (sentence: string | null) => report({ at: "failed", sentence });
  request.open("POST", urls.addPicture(target));
  request.responseType = "json";
  request.setRequestHeader("accept-language", document.documentElement.lang);
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    report({ at: "going", share: total > 0 ? loaded / total : 0 }),
  );
  request.addEventListener("error", () => failed(null));
  request.addEventListener("load", () => {
    const result: (NewPicture & { refused?: { message?: string } }) | null = request.response;
    if (request.status === 200 && result?.address) report({ at: "there", picture: result });
    else failed(result?.refused?.message ?? null);
  });
  request.send(file);
  return () => request.abort();
}
