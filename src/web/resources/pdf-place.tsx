import { Suspense } from "react";
import { lazyPart } from "../client/lazy-part.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import { useWords } from "../words/index.ts";
import type { ShownResource, ShownText } from "./resource-data.ts";
import { ReadText } from "./read-text.tsx";

/** What shows PDF is as large as all else here together: it is fetched where there is one. */
const PdfViewer = lazyPart(() => import("./pdf-viewer.tsx"));

type Props = { resource: ShownResource; file: NonNullable<ShownResource["file"]>; shown: Extract<ShownText, { kind: "read" }> | null };

/** A PDF as it looks, and as words until scripts are here. */
export function PdfPlace({ resource, file, shown }: Props) {
  const t = useWords();
  const hydrated = useHydrated();
  const words = shown && <ReadText id={resource.id} shown={shown} language={resource.language} />;
  if (!hydrated)
    return (
      <>
        {/* For a guest the press brings the scripts, and these bring the pages. */}
        <div className="noscript:hidden print:hidden">
          <button type="button" className="button">
            {t("Show the pages as they look")}
          </button>
        </div>
        {words}
      </>
    );
  return (
    <Suspense fallback={<p className="hint">{t("The pages are being fetched…")}</p>}>
      <PdfViewer file={file} title={resource.title} />
    </Suspense>
  );
}
