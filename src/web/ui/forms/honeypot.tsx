import { useTranslate } from "../../i18n/index.ts";

/** Honeypot: a field that people cannot see or reach, but bots fill in. */
export function Honeypot() {
  const t = useTranslate();
  return (
    <div aria-hidden className="absolute -start-[9999px] h-px w-px overflow-hidden">
      <label htmlFor="field-website">{t("Leave this empty")}</label>
      <input id="field-website" name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}
