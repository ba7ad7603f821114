import type { OwnPendingPost } from "#community/discussions";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/**
 * The viewer's own pending or returned resource; a returned one with a link to the form. It shares no component
 * with the list of moderators: the bundler would move that list into a file that discussions load.
 */
export function OwnPendingResource({
  it: { id, resource, place, isReturned, isChange },
}: {
  it: Pick<OwnPendingPost, "id" | "resource" | "place" | "isReturned" | "isChange">;
}) {
  const t = useTranslate();
  if (!resource) return null;
  const { url, file, why } = resource;
  return (
    <>
      {(url || file) && (
        <p dir={url ? "ltr" : "auto"} className="break-all">
          {url ?? file?.fileName}
        </p>
      )}
      {why && (
        <p dir="auto" className="break-words">
          {why}
        </p>
      )}
      {isReturned && !isChange && (
        <p className="mb-2">
          <Link to={newResourceUrl(id, resource, place?.id)} className="button">
            {t("Edit and send again")}
          </Link>
        </p>
      )}
    </>
  );
}

/** The form in which a returned resource is sent again. A returned document is in the author's draft. */
const newResourceUrl = (
  id: string,
  { kind, file }: NonNullable<OwnPendingPost["resource"]>,
  group: string | undefined,
): string =>
  kind === "document"
    ? urls.newResource({ kind, group })
    : file
      ? urls.newFiles({ group, files: file.id })
      : urls.newResource({ kind: "link", group, returned: id });
