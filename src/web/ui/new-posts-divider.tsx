import { useTranslate } from "../i18n/index.ts";

/** Divider above everything new since the last visit. */
export function NewPostsDivider({ id }: { id?: string }) {
  const t = useTranslate();
  return (
    <p id={id} className="flex w-full items-center gap-3 py-2 text-small font-semibold text-amber">
      <span className="h-px flex-1 bg-amber opacity-40" aria-hidden />
      {t("New since your last visit")}
      <span className="h-px flex-1 bg-amber opacity-40" aria-hidden />
    </p>
  );
}
