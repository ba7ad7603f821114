import { Prose } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Heading } from "./document-outline.ts";

export function DocumentView({ html, language }: { html: string; language: string }) {
  const t = useTranslate();
  return (
    <>
      <h2 className="sr-only">{t("Document")}</h2>
      <Prose html={html} lang={language} className="[&_h3]:scroll-mt-20 [&_h4]:scroll-mt-20" />
    </>
  );
}

const MIN_HEADINGS = 2;

/** Outline of a document: beside it on wide screens, collapsed above it on others. */
export function DocumentOutline({ headings, where }: { headings: Heading[]; where: "above" | "beside" }) {
  const t = useTranslate();
  if (headings.length < MIN_HEADINGS) return null;
  if (where === "above")
    return (
      <details className="panel mt-5 p-3 wide:hidden print:hidden">
        <summary className="flex items-center justify-between gap-2 font-semibold">
          {t("On this page")}
          <i className="icon icon-chevron-down size-4" />
        </summary>
        <HeadingList headings={headings} label={t("On this page")} />
      </details>
    );
  return (
    <section className="mb-6 hidden wide:block">
      <h2 className="mb-1 text-small font-semibold text-quiet">{t("On this page")}</h2>
      <HeadingList headings={headings} label={t("On this page")} />
    </section>
  );
}

const HeadingList = ({ headings, label }: { headings: Heading[]; label: string }) => (
  <nav aria-label={label} className="mt-1">
    <ul className="border-s border-line">
      {headings.map((heading) => (
        <li key={heading.id}>
          <a
            href={`#${heading.id}`}
            className={`block py-1 text-ink no-underline hover:underline ${heading.level > 3 ? "ps-7" : "ps-3"}`}
          >
            <bdi>{heading.text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
