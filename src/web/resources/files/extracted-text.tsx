import { Notice } from "../../ui/index.ts";
import { PageLinks } from "../../ui/navigation/page-links.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { FilePreview } from "../resource-data.ts";

type Read = Extract<FilePreview, { kind: "read" }>;

/** Extracted text of a file, page by page, for browsers without scripts and for screen readers. */
export function ExtractedText({ id, shown, language }: { id: string; shown: Read; language: string }) {
  const t = useTranslate();
  const why = useExtractionErrors()[shown.state];
  if (why) return <Notice>{why}</Notice>;
  const { page, pages, words } = shown;
  return (
    <section aria-labelledby="text" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="text" className="text-large font-semibold">
          {pages > 1 ? t("Text of page {page} of {pages}", { page, pages }) : t("Text")}
        </h2>
        {pages > 1 && (
          <PageLinks
            label={t("Pages of the text")}
            previous={page > 1 ? urls.resource(id, { page: page - 1 }) : null}
            next={page < pages ? urls.resource(id, { page: page + 1 }) : null}
            preventScrollReset
          />
        )}
      </div>
      <p lang={language} dir="auto" className="panel max-w-reading p-4 break-words whitespace-pre-line">
        {words.trim() || t("No text on this page.")}
      </p>
      {shown.state === "cut" && page === pages && (
        <p className="hint">{t("Only the beginning of the file was read.")}</p>
      )}
    </section>
  );
}

function useExtractionErrors(): Partial<Record<Read["state"], string>> {
  const t = useTranslate();
  return {
    empty: t("No text was found in this file."),
    locked: t("This file needs a password. Download it instead."),
    broken: t("This file cannot be read here. Download it instead."),
    "too-much": t("This file is too large to be read here. Download it instead."),
  };
}
