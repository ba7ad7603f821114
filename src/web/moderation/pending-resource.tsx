import type { PendingPost } from "#community/discussions";
import { useTranslate } from "../i18n/index.ts";
import { KindIcon, useFormatSize, useResourceKindLabels } from "../resources/library/resource-kinds.tsx";
import { Tag } from "../ui/index.ts";
import { urls } from "../urls.ts";

/** Kind, address or file, and reason of a resource that will be added once it is approved. */
export function PendingResource({
  resource: { kind, url, file, why },
}: {
  resource: NonNullable<PendingPost["resource"]>;
}) {
  const t = useTranslate();
  const labels = useResourceKindLabels();
  const size = useFormatSize();
  return (
    <div className="mb-2 grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-quiet">
        <Tag>
          <KindIcon kind={kind} size="size-4" /> {labels.one[kind]}
        </Tag>
        {url && (
          <a href={url} rel="nofollow ugc noopener noreferrer" dir="ltr" className="min-w-0 break-all">
            {url}
          </a>
        )}
        {file && (
          <>
            <a href={urls.file(file.id)} dir="auto" className="min-w-0 break-all">
              {file.fileName}
            </a>{" "}
            {size(file.size)}
          </>
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
