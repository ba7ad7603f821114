import { FileText, Link2, Paperclip } from "lucide-react";
import type { ResourceCard, ResourceKind } from "#community/resources";
import { useLocale, useWords } from "../words/index.ts";
import { numberFormat } from "../ui/formats.ts";

const ICONS = { link: Link2, file: Paperclip, document: FileText };

export const KindIcon = ({ kind, size = 20 }: { kind: ResourceKind; size?: number }) => {
  const Icon = ICONS[kind];
  return <Icon size={size} strokeWidth={1.75} aria-hidden className="flex-none" />;
};

export function useKindWords() {
  const t = useWords();
  const one: Record<ResourceKind, string> = { link: t("Link"), file: t("File"), document: t("Document") };
  const many: Record<ResourceKind, string> = { link: t("Links"), file: t("Files"), document: t("Documents") };
  return { one, many };
}

/** A size as people say it, in their own figures. */
export function useSize() {
  const locale = useLocale();
  return (bytes: number) => {
    const large = bytes >= 1_000_000;
    const number = numberFormat(locale, { style: "unit", unit: large ? "megabyte" : "kilobyte", maximumFractionDigits: 1 });
    return number.format(large ? bytes / 1_000_000 : Math.max(1, Math.round(bytes / 1000)));
  };
}

/** What kind of thing it is, and where it is from or how large. */
export function useNature() {
  const kinds = useKindWords();
  const size = useSize();
  return ({ kind, siteName, file }: Pick<ResourceCard, "kind" | "siteName" | "file">) => {
    if (kind === "link" && siteName) return `${kinds.one.link} · ${siteName}`;
    if (file) return `${kinds.one.file} · ${endingOf(file.fileName)}${size(file.size)}`;
    return kinds.one[kind];
  };
}

const endingOf = (fileName: string) => {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1];
  return ending ? `${ending.toUpperCase()} · ` : "";
};
