import type { KeyboardEvent, ReactNode } from "react";
import { useRef } from "react";
import "pdfjs-dist/web/pdf_viewer.css";
import { isInputMethodKey } from "../../client/input-method.ts";
import { Notice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { type Pdf, usePdf } from "./use-pdf.ts";

type Props = { file: { id: string; fileName: string }; title: string };

/** PDF viewer that shows one page at a time, with search. `#page=12` links to a page. */
export default function PdfViewer({ file, title }: Props) {
  const t = useTranslate();
  const frame = useRef<HTMLDivElement>(null);
  const pdf = usePdf(frame, urls.file(file.id));
  if (pdf.fault === "locked") return <Notice>{t("This file needs a password. Download it instead.")}</Notice>;
  if (pdf.fault)
    return <Notice tone="bad">{t("This file cannot be shown here. Download it instead.")}</Notice>;
  const byKeys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // In right-to-left languages the next page is on the left.
    const right = document.documentElement.dir === "rtl" ? -1 : 1;
    const step = { ArrowRight: right, ArrowLeft: -right, n: 1, p: -1 }[event.key];
    if (step) pdf.turnTo(pdf.page + step);
    else if (event.key === "+" || event.key === "-") pdf.zoom(event.key === "+" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section aria-label={title} className="panel overflow-hidden print:hidden">
      <PdfToolbar pdf={pdf} />
      <div className="relative h-[80dvh] min-h-96 bg-sunken" dir="ltr">
        {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- its keys turn pages */}
        {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- its keys turn pages */}
        <div
          ref={frame}
          tabIndex={0}
          role="region"
          aria-label={t("Pages")}
          className="absolute inset-0 overflow-auto"
          onKeyDown={byKeys}
        >
          <div className="pdfViewer" />
        </div>
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      </div>
    </section>
  );
}

function PdfToolbar({ pdf }: { pdf: Pdf }) {
  const t = useTranslate();
  const { page, pages } = pdf;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-2">
      <div className="flex items-center gap-1">
        <ToolbarButton label={t("Previous page")} onPress={() => pdf.turnTo(page - 1)} disabled={page <= 1}>
          <i className="icon icon-chevron-left rtl:rotate-180" />
        </ToolbarButton>
        <ToolbarButton label={t("Next page")} onPress={() => pdf.turnTo(page + 1)} disabled={page >= pages}>
          <i className="icon icon-chevron-right rtl:rotate-180" />
        </ToolbarButton>
        <label className="flex items-center gap-1.5 text-small">
          <span className="sr-only">{t("Page")}</span>
          <input
            key={page}
            className="input figures w-16 text-center"
            inputMode="numeric"
            defaultValue={page}
            onKeyDown={(event) => isEnter(event) && pdf.turnTo(Number(event.currentTarget.value))}
            onBlur={(event) => pdf.turnTo(Number(event.currentTarget.value))}
          />
          <span className="figures">{t("of {pages}", { pages })}</span>
        </label>
      </div>
      <div className="flex items-center gap-1">
        <ToolbarButton label={t("Smaller")} onPress={() => pdf.zoom(-1)}>
          <i className="icon icon-minus" />
        </ToolbarButton>
        <ToolbarButton label={t("Larger")} onPress={() => pdf.zoom(1)}>
          <i className="icon icon-plus" />
        </ToolbarButton>
      </div>
      <SearchInPdf pdf={pdf} />
    </div>
  );
}

function SearchInPdf({ pdf }: { pdf: Pdf }) {
  const t = useTranslate();
  const { matches } = pdf;
  const words = useRef<HTMLInputElement>(null);
  const look = (back: boolean) => pdf.find(words.current?.value ?? "", back);
  return (
    <search className="ms-auto flex min-w-0 flex-1 basis-60 items-center gap-1">
      <input
        ref={words}
        type="search"
        className="input min-w-0 flex-1"
        aria-label={t("Search in this file")}
        placeholder={t("Search in this file")}
        onKeyDown={(event) => isEnter(event) && look(event.shiftKey)}
      />
      <ToolbarButton label={t("Previous result")} onPress={() => look(true)}>
        <i className="icon icon-chevron-left rtl:rotate-180" />
      </ToolbarButton>
      <ToolbarButton label={t("Next result")} onPress={() => look(false)}>
        <i className="icon icon-chevron-right rtl:rotate-180" />
      </ToolbarButton>
      <span role="status" className="figures text-small whitespace-nowrap text-quiet">
        {matches && (matches.total > 0 ? t("{current} of {total}", matches) : t("Not found"))}
      </span>
    </search>
  );
}

const isEnter = ({ key, nativeEvent }: KeyboardEvent) => key === "Enter" && !isInputMethodKey(nativeEvent);

type ToolbarButtonProps = { label: string; onPress: () => void; disabled?: boolean; children: ReactNode };

const ToolbarButton = ({ label, onPress, disabled, children }: ToolbarButtonProps) => (
  <button
    type="button"
    className="button"
    data-kind="quiet"
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={onPress}
  >
    {children}
  </button>
);
