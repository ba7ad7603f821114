import type { ReactNode } from "react";
import { ButtonLink, Notice, Prose } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useFormatSize } from "../library/resource-kinds.tsx";
import { LazyPdfViewer } from "./lazy-pdf-viewer.tsx";
import { ExtractedText } from "./extracted-text.tsx";
import type { ShownResource, FilePreview } from "../resource-data.ts";

/** Download of a file, with a preview if browsers can show its type. */
export function FileView({
  resource,
  shown,
  canReplace,
}: {
  resource: ShownResource;
  shown: FilePreview;
  canReplace: boolean;
}) {
  const t = useTranslate();
  const { file, title, language } = resource;
  if (!file) return <Notice tone="bad">{t("The file no longer exists.")}</Notice>;
  if (file.state === "scanning")
    return <Notice>{t("This file is being scanned. It opens after the scan.")}</Notice>;
  if (file.state === "quarantined")
    return <Notice tone="bad">{t("This file is harmful and cannot be opened.")}</Notice>;
  const address = urls.file(file.id);
  return (
    <div className="grid gap-5">
      <DownloadLink file={file} replace={canReplace ? urls.replaceFile(resource.id) : null} />
      {file.mime === "application/pdf" && (
        <LazyPdfViewer resource={resource} file={file} shown={shown?.kind === "read" ? shown : null} />
      )}
      {file.mime !== "application/pdf" && shown?.kind === "read" && (
        <ExtractedText id={resource.id} shown={shown} language={language} />
      )}
      {file.mime.startsWith("image/") && (
        <img
          src={address}
          alt={title}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          className="max-h-[80dvh] max-w-full rounded-panel object-contain"
        />
      )}
      {/* oxlint-disable jsx-a11y/media-has-caption -- uploaded files have no captions */}
      {file.mime.startsWith("audio/") && (
        <audio controls preload="metadata" src={address} className="w-full" aria-label={title} />
      )}
      {file.mime.startsWith("video/") && (
        <video
          controls
          preload="metadata"
          src={address}
          className="max-h-[80dvh] w-full rounded-panel"
          aria-label={title}
        />
      )}
      {/* oxlint-enable jsx-a11y/media-has-caption */}
      {shown?.kind === "written" && <Prose html={shown.html} lang={language} className="panel p-5" />}
      {shown?.kind === "text" && (
        <HorizontalScroll label={file.fileName} className="bg-sunken">
          <pre lang={language} dir="auto" className="w-fit p-4 text-small">
            {shown.words}
          </pre>
        </HorizontalScroll>
      )}
      {shown && shown.kind !== "table" && shown.kind !== "read" && shown.cut && <TruncatedHint />}
      {shown?.kind === "table" && <CsvTable shown={shown} label={file.fileName} language={language} />}
    </div>
  );
}

function DownloadLink({
  file,
  replace,
}: {
  file: NonNullable<ShownResource["file"]>;
  replace: string | null;
}) {
  const t = useTranslate();
  const size = useFormatSize();
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-4 p-4">
      <p className="min-w-0 flex-1 basis-48">
        <span dir="auto" className="block break-all font-semibold">
          {file.fileName}
        </span>
        <span className="text-small text-quiet">{size(file.size)}</span>
      </p>
      {replace && (
        <ButtonLink to={replace} kind="quiet">
          {t("Replace file")}
        </ButtonLink>
      )}
      <a href={urls.file(file.id)} download={file.fileName} className="button" data-kind="primary">
        <i className="icon icon-download size-4" />
        {t("Download")}
      </a>
    </div>
  );
}

function TruncatedHint() {
  const t = useTranslate();
  return <p className="hint p-3">{t("Only the beginning of the file is shown.")}</p>;
}

function CsvTable({
  shown,
  label,
  language,
}: {
  shown: Extract<FilePreview, { kind: "table" }>;
  label: string;
  language: string;
}) {
  // Columns that contain only numbers are right-aligned.
  const aligned = shown.head.map((_, column) =>
    shown.rows.every((row) => /^(-?[\d.,]+)?$/.test(row[column] ?? "")) ? "text-end figures" : "text-start",
  );
  return (
    <HorizontalScroll label={label} className="border border-line">
      <table lang={language} className="w-full border-collapse bg-surface text-base">
        <thead>
          <tr>
            {shown.head.map((name, column) => (
              <th
                key={column}
                scope="col"
                dir="auto"
                className={`border-b border-line px-3 py-2 font-semibold ${aligned[column]}`}
              >
                {name.replaceAll("_", " ")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.rows.map((row, index) => (
            <tr key={index} className="border-b border-line last:border-b-0">
              {shown.head.map((_, column) => (
                <td key={column} dir="auto" className={`px-3 py-1.5 ${aligned[column]}`}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.cut && <TruncatedHint />}
    </HorizontalScroll>
  );
}

/** Scroll container for content wider than the page. It can have the focus, so that keys scroll it. */
const HorizontalScroll = ({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users can scroll only what takes the focus
  <div tabIndex={0} role="region" aria-label={label} className={`overflow-x-auto rounded-panel ${className}`}>
    {children}
  </div>
);
