import type { ResourceCard } from "#community/resources";
import type { ResourceKind } from "#community/rules";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { numberFormat } from "../../ui/text/intl-formats.ts";

const ICONS: Record<ResourceKind, string> = {
  link: "icon-link-2",
  video: "icon-play",
  file: "icon-paperclip",
  image: "icon-image",
  document: "icon-file-text",
};

export const KindIcon = ({ kind, size = "size-5" }: { kind: ResourceKind; size?: string }) => (
  <i className={`icon ${ICONS[kind]} ${size}`} />
);

export function useResourceKindLabels() {
  const t = useTranslate();
  const one: Record<ResourceKind, string> = {
    link: t("Link"),
    video: t("Video"),
    file: t("File"),
    image: t("Picture"),
    document: t("Document"),
  };
  const many: Record<ResourceKind, string> = {
    link: t("Links"),
    video: t("Videos"),
    file: t("Files"),
    image: t("Pictures"),
    document: t("Documents"),
  };
  return { one, many };
}

/** Formats a file size in the reader's language. */
export function useFormatSize() {
  const locale = useLocale();
  return (bytes: number) => {
    const [unit, figure] =
      bytes >= 1e9
        ? ["gigabyte", bytes / 1e9]
        : bytes >= 1e6
          ? ["megabyte", bytes / 1e6]
          : ["kilobyte", Math.ceil(bytes / 1e3)];
    return numberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }).format(figure);
  };
}

/** Formats the resource's kind with its site, or with its file type and size. */
export function useResourceSummary() {
  const kinds = useResourceKindLabels();
  const size = useFormatSize();
  return ({ kind, siteName, file }: Pick<ResourceCard, "kind" | "siteName" | "file">) => {
    if (siteName) return `${kinds.one[kind]} · ${siteName}`;
    if (file) return `${kinds.one[kind]} · ${fileExtension(file.fileName)}${size(file.size)}`;
    return kinds.one[kind];
  };
}

const fileExtension = (fileName: string) => {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1];
  return ending ? `${ending.toUpperCase()} · ` : "";
};
