import { type ComponentType, type RefObject, useCallback, useEffect, useState } from "react";
import { loadOptionalChunk } from "../client/chunk-guard.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import type { FormattedEditorProps } from "./formatted/formatted-editor.tsx";

type OpenEditor = { Editor: ComponentType<FormattedEditorProps>; field: HTMLTextAreaElement };

/** In some browsers, reading `localStorage` throws. */
function getChoice(key: string): boolean {
  try {
    return localStorage.getItem(key) === "yes";
  } catch {
    return false;
  }
}

function storeChoice(key: string, isChosen: boolean) {
  try {
    if (isChosen) localStorage.setItem(key, "yes");
    else localStorage.removeItem(key);
  } catch {
    // The choice then holds for this field only.
  }
}

/** People who save data write Markdown, which needs no further script. */
function savesData(): boolean {
  const connection: unknown = "connection" in navigator ? navigator.connection : null;
  return (
    typeof connection === "object" &&
    connection !== null &&
    "saveData" in connection &&
    connection.saveData === true
  );
}

/** Waits until a word that is being composed in the field (Japanese, Chinese, Korean …) is complete. */
const waitForComposition = (field: HTMLElement) =>
  field.dataset["composing"] === undefined
    ? undefined
    : new Promise((resolve) => field.addEventListener("compositionend", resolve, { once: true }));

/**
 * The formatted editor of a text field: null until the person switches to it, or, if they chose it before in
 * this browser, until they begin to write. If it cannot be loaded, the field stays as it is.
 */
export function useFormattedEditor(field: RefObject<HTMLTextAreaElement | null>, isOffered: boolean) {
  const { me } = useRootData();
  const key = `kith:formatted:${me?.id ?? ""}`;
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const [canLoad, setCanLoad] = useState(false);
  useEffect(() => setCanLoad(isOffered && !savesData()), [isOffered]);
  const open = useCallback(async () => {
    const part = await loadOptionalChunk(() => import("./formatted/formatted-editor.tsx")).catch(() => null);
    const text = field.current;
    if (!part || !text) return;
    await waitForComposition(text);
    setEditor({ Editor: part.default, field: text });
  }, [field]);
  useEffect(() => {
    const text = field.current;
    if (!canLoad || !text) return;
    const begin = () => getChoice(key) && void open();
    if (document.activeElement === text) begin();
    text.addEventListener("focus", begin);
    return () => text.removeEventListener("focus", begin);
  }, [canLoad, field, key, open]);
  const toggle = () => {
    storeChoice(key, editor === null);
    if (editor) setEditor(null);
    else void open();
    field.current?.focus();
  };
  return { editor, toggle: canLoad ? toggle : null };
}
