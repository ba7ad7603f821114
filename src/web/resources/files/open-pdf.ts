import * as pdfjs from "pdfjs-dist";
// oxlint-disable-next-line import/default -- with `?url`, Vite adds a default export, the URL of the file
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

// The viewer reads pdf.js from this global, so the viewer is imported afterwards.
Object.assign(globalThis, { pdfjsLib: pdfjs });
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
const { EventBus, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } =
  await import("pdfjs-dist/web/pdf_viewer.mjs");

/** Folder with the files of pdf.js: character maps, standard fonts, decoders. */
const PDFJS_PATH = "/pdfjs/";

type PdfCallbacks = {
  turned: (page: number, pages: number, byReader: boolean) => void;
  counted: (matches: { current: number; total: number } | null) => void;
  failed: (why: "locked" | "broken") => void;
};
export type OpenPdf = {
  turnTo: (page: number) => void;
  zoom: (steps: number) => void;
  find: (words: string, how: { back: boolean; again: boolean }) => void;
  close: () => void;
};

/**
 * Shows a PDF in a frame and reports its state through callbacks. Only the parts that the reader opens are
 * fetched.
 */
export function openPdf(
  frame: HTMLDivElement,
  address: string,
  first: number,
  pdfCallbacks: PdfCallbacks,
): OpenPdf {
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({
    eventBus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: "noopener nofollow ugc",
  });
  const findController = new PDFFindController({ eventBus, linkService });
  let closed = false;
  const viewer = new PDFViewer({
    container: frame,
    eventBus,
    linkService,
    findController,
    annotationMode: pdfjs.AnnotationMode.ENABLE,
  });
  linkService.setViewer(viewer);
  listen(eventBus, viewer, first, pdfCallbacks);
  const task = pdfjs.getDocument({
    url: address,
    cMapUrl: `${PDFJS_PATH}cmaps/`,
    standardFontDataUrl: `${PDFJS_PATH}standard_fonts/`,
    wasmUrl: `${PDFJS_PATH}wasm/`,
    iccUrl: `${PDFJS_PATH}iccs/`,
  });
  task.onPassword = () => {
    pdfCallbacks.failed("locked");
    void task.destroy();
  };
  const show = async () => {
    const document = await task.promise;
    viewer.setDocument(document);
    linkService.setDocument(document);
  };
  show().catch(() => closed || pdfCallbacks.failed("broken"));
  return {
    turnTo: (page) => {
      if (Number.isInteger(page) && page >= 1 && page <= viewer.pagesCount) viewer.currentPageNumber = page;
    },
    zoom: (steps) => (steps > 0 ? viewer.increaseScale() : viewer.decreaseScale()),
    find: (query, { back, again }) =>
      void eventBus.dispatch("find", {
        type: again ? "again" : "",
        query,
        caseSensitive: false,
        entireWord: false,
        highlightAll: true,
        findPrevious: back,
        matchDiacritics: false,
      }),
    close: () => {
      closed = true;
      void task.destroy();
    },
  };
}

type Bus = InstanceType<typeof EventBus>;
type Viewer = InstanceType<typeof PDFViewer>;

function listen(eventBus: Bus, viewer: Viewer, first: number, pdfCallbacks: PdfCallbacks) {
  let begun = false;
  eventBus.on("pagesinit", () => {
    viewer.currentScaleValue = "page-width";
    if (first > 1 && first <= viewer.pagesCount) viewer.currentPageNumber = first;
    pdfCallbacks.turned(viewer.currentPageNumber, viewer.pagesCount, false);
    begun = true;
  });
  eventBus.on("pagechanging", ({ pageNumber }: { pageNumber: number }) =>
    pdfCallbacks.turned(pageNumber, viewer.pagesCount, begun),
  );
  eventBus.on(
    "updatefindmatchescount",
    ({ matchesCount }: { matchesCount: { current: number; total: number } }) =>
      pdfCallbacks.counted(matchesCount),
  );
  eventBus.on(
    "updatefindcontrolstate",
    ({ state, matchesCount }: { state: number; matchesCount: { current: number; total: number } }) =>
      pdfCallbacks.counted(state === 3 ? null : matchesCount),
  );
}
