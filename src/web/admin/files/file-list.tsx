import { Link } from "react-router";
import { useFormatSize } from "../../resources/library/resource-kinds.tsx";
import { EmptyState, Time } from "../../ui/index.ts";
import { PageLinks } from "../../ui/navigation/page-links.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { formatFilePath } from "./format-file-path.ts";
import type { FilesData } from "./files-page.tsx";

/** Contents of a directory: directories first, then files, by name. */
export function FileList({ data: { path, entries, before, after } }: { data: FilesData }) {
  const t = useTranslate();
  const size = useFormatSize();
  return (
    <section aria-label={t("Content")}>
      {entries.length === 0 && (
        <EmptyState title={path.length === 0 ? t("No files yet.") : t("This directory is empty.")} />
      )}
      <ul className="border-t border-line empty:hidden">
        {entries.map(({ name, kind, size: bytes, updatedAt }) => {
          return (
            <li
              key={name}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line py-3"
            >
              <Link
                to={urls.programFiles({ path: formatFilePath([...path, name]) })}
                className="flex min-w-0 items-baseline gap-2 font-semibold"
              >
                <i
                  role="img"
                  aria-label={kind === "directory" ? t("Directory") : t("File")}
                  className={`icon size-4 self-center text-quiet ${kind === "directory" ? "icon-folder" : "icon-file"}`}
                />
                <bdi dir="auto" className="min-w-0 break-all">
                  {name}
                </bdi>
              </Link>
              <span className="text-small text-quiet">
                {kind === "file" && `${size(bytes)} · `}
                <Time at={updatedAt} />
              </span>
            </li>
          );
        })}
      </ul>
      {(before !== null || after !== null) && (
        <PageLinks
          previous={before === null ? null : urls.programFiles({ path: formatFilePath(path), from: before })}
          next={after === null ? null : urls.programFiles({ path: formatFilePath(path), from: after })}
        />
      )}
    </section>
  );
}
