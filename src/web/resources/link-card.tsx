import { Time } from "../ui/index.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { LinkSuggestions } from "./link-suggestions.tsx";
import type { ResourcePageData } from "./resource-data.ts";

/** Shows a link with its host, and whether it still works. */
export function ResourceLinkCard({ page }: { page: ResourcePageData }) {
  const t = useTranslate();
  const { url, siteName, health } = page.resource;
  if (!url) return null;
  return (
    <div className="panel grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-semibold">{siteName || new URL(url).hostname}</p>
          <p className="break-all text-small text-quiet">{url}</p>
          <LinkHealth page={page} />
        </div>
        <a
          href={url}
          target="_blank"
          rel="noopener nofollow ugc"
          className="button"
          data-kind={health === "dead" ? undefined : "primary"}
        >
          <i className="icon icon-external-link size-4" />
          {t("Open", undefined, "verb")}
          <span className="sr-only"> {t("in a new tab")}</span>
        </a>
        {health === "dead" && (
          <a
            href={`https://web.archive.org/web/${url}`}
            target="_blank"
            rel="noopener nofollow"
            className="button"
          >
            {t("Search in a web archive")}
            <span className="sr-only"> {t("in a new tab")}</span>
          </a>
        )}
      </div>
      <LinkSuggestions page={page} />
    </div>
  );
}

function LinkHealth({ page: { resource, link } }: { page: ResourcePageData }) {
  const t = useTranslate();
  return (
    <>
      {resource.health === "dead" && (
        <p className="mt-1 text-amber">{t("This link has been broken for a week.")}</p>
      )}
      {resource.health === "redirected" && (
        <p className="mt-1 break-all text-amber">
          {link?.movedTo
            ? t("This link redirects to {address}", { address: link.movedTo })
            : t("This link redirects.")}
        </p>
      )}
      {link?.checkedAt && (
        <p className="mt-1 text-small text-quiet">
          <Rich text="Last checked <0></0>" parts={{ 0: <Time at={link.checkedAt} /> }} />
        </p>
      )}
    </>
  );
}
