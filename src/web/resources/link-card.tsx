import { ExternalLink } from "lucide-react";
import { useWords } from "../words/index.ts";
import type { ShownResource } from "./resource-data.ts";

/** Where the link leads, said before one goes there. */
export function LinkCard({ resource: { url, siteName, health } }: { resource: ShownResource }) {
  const t = useWords();
  if (!url) return null;
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{siteName || new URL(url).hostname}</p>
        <p className="break-all text-small text-quiet">{url}</p>
        {health === "dead" && <p className="mt-1 text-amber">{t("This address did not answer when we last looked.")}</p>}
        {health === "redirected" && <p className="mt-1 text-amber">{t("This address leads on to another one.")}</p>}
      </div>
      <a href={url} target="_blank" rel="noopener nofollow ugc" className="button" data-kind="primary">
        <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
        {t("Open")}
        <span className="sr-only"> {t("in a new tab")}</span>
      </a>
    </div>
  );
}
