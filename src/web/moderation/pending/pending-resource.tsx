import type { PendingPost } from "#community/discussions";
import { useTranslate } from "../../i18n/index.ts";
import { Tag } from "../../ui/index.ts";
import { urls } from "../../urls.ts";

/** Kind, address or file, and reason of a resource that will be added once it is approved. */
export function PendingResource({
  resource: { kind, url, file, why },
}: {
  resource: NonNullable<PendingPost["resource"]>;
}) {
  const t = useTranslate();
  const label = {
    link: t("Link"),
    video: t("Video"),
    file: t("File"),
    image: t("Picture"),
    document: t("Document"),
  }[kind];
  return (
    <div className="mb-2 grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-quiet">
        <Tag>{label}</Tag>
        {url && (
          <a href={url} rel="nofollow ugc noopener noreferrer" dir="ltr" className="min-w-0 break-all">
            {url}
          </a>
        )}
        {file && (
          <a href={urls.file(file.id)} dir="auto" className="min-w-0 break-all">
            {file.fileName}
          </a>
        )}
      </p>
      {why && (
        <p className="break-words">
          {t("Why it's useful")}: <bdi>{why}</bdi>
        </p>
      )}
    </div>
  );
}
