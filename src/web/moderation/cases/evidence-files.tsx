import type { EvidenceFile } from "#community/moderation";
import { useFormatSize } from "../../resources/library/resource-kinds.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Pictures and files of a reported text, with links to the whole files. */
export function EvidenceFiles({ files }: { files: EvidenceFile[] }) {
  const t = useTranslate();
  if (files.length === 0) return null;
  return (
    <ul aria-label={t("Pictures and files")} className="mt-3 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="min-w-0">
          {file.mime.startsWith("image/") ? <EvidencePicture file={file} /> : <EvidenceLink file={file} />}
        </li>
      ))}
    </ul>
  );
}

function EvidencePicture({ file: { id, alt, fileName, width, height } }: { file: EvidenceFile }) {
  const t = useTranslate();
  return (
    <a href={urls.evidence(id)} className="block">
      <img
        src={urls.evidence(id)}
        alt={alt || fileName || t("Picture")}
        width={width ?? undefined}
        height={height ?? undefined}
        loading="lazy"
        className="h-40 w-auto max-w-full rounded-control border border-line object-contain"
      />
    </a>
  );
}

function EvidenceLink({ file: { id, fileName, size } }: { file: EvidenceFile }) {
  const t = useTranslate();
  const formatSize = useFormatSize();
  return (
    <a href={urls.evidence(id)} className="break-words">
      <bdi>{fileName || t("File")}</bdi> <span className="text-small text-quiet">{formatSize(size)}</span>
    </a>
  );
}
