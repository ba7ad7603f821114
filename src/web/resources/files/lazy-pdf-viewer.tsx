import { Suspense } from "react";
import { lazyComponent } from "../../client/lazy-component.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ShownResource, FilePreview } from "../resource-data.ts";
import { ExtractedText } from "./extracted-text.tsx";

/** The PDF viewer is loaded only when needed, because it is as large as all other scripts together. */
const PdfViewerChunk = lazyComponent(() => import("./pdf-viewer.tsx"));

type Props = {
  resource: ShownResource;
  file: NonNullable<ShownResource["file"]>;
  shown: Extract<FilePreview, { kind: "read" }> | null;
};

/** Shows a PDF in the viewer; before hydration, its extracted text. */
export function LazyPdfViewer({ resource, file, shown }: Props) {
  const t = useTranslate();
  const hydrated = useHydrated();
  const words = shown && <ExtractedText id={resource.id} shown={shown} language={resource.language} />;
  if (!hydrated)
    return (
      <>
        {/* For guests, the click loads the scripts, which then render the pages. */}
        <div className="noscript:hidden print:hidden">
          <button type="button" className="button">
            {t("Show original pages")}
          </button>
        </div>
        {words}
      </>
    );
  return (
    <Suspense fallback={<p className="hint">{t("Loading pages…")}</p>}>
      <PdfViewerChunk file={file} title={resource.title} />
    </Suspense>
  );
}
