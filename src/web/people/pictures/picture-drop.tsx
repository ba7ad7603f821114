import { type DragEvent, type RefObject, useEffect, useState } from "react";
import { useTranslate } from "../../i18n/index.ts";

type Input = RefObject<HTMLInputElement | null>;

/** Sets a picture as the input's file, as if it had been chosen there. */
function setInputFile(input: Input, files: Iterable<File> | null | undefined): boolean {
  const picture = [...(files ?? [])].find((file) => file.type.startsWith("image/"));
  if (!picture || !input.current) return false;
  const carried = new DataTransfer();
  carried.items.add(picture);
  input.current.files = carried.files;
  input.current.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/** Accepts a picture dropped on the form, or pasted anywhere outside a text field. */
export function useDropAndPaste(input: Input) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) =>
      void (setInputFile(input, event.clipboardData?.files) && event.preventDefault());
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [input]);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(event.type === "dragover");
    if (event.type === "drop") setInputFile(input, event.dataTransfer.files);
  };
  return { over, onDragOver: drag, onDragLeave: drag, onDrop: drag };
}

/** A camera button on phones; on other devices, a hint about dropping and pasting. */
export function PictureInputHints({ input }: { input: Input }) {
  const t = useTranslate();
  return (
    <>
      <p className="hint pointer-coarse:hidden">{t("Or drop or paste a picture here.")}</p>
      <label className="button hidden w-fit focus-within:outline-2 pointer-coarse:inline-flex">
        <i className="icon icon-camera size-4" />
        {t("Take a photo")}
        <input
          type="file"
          accept="image/*"
          capture="user"
          className="sr-only"
          onChange={(event) => setInputFile(input, event.currentTarget.files)}
        />
      </label>
    </>
  );
}
