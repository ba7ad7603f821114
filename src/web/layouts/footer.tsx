import { Form, useLocation } from "react-router";
import { useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { LOCALES, useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Links about the site, and preferences for members and guests: language, theme and text size. */
export function Footer() {
  const t = useTranslate();
  const { community, locale, theme, textSize, mailboxOpen } = useRootData();
  const { pathname, search } = useLocation();
  const links = [
    [urls.about(), t("About {name}", { name: community.name })],
    [urls.rules(), t("Rules")],
    [urls.privacy(), t("Privacy")],
    mailboxOpen && [urls.mailbox(), t("Development mailbox")],
  ];
  return (
    <footer className="shell-foot text-small text-quiet">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
        <nav aria-label={t("About this community")}>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 [&_a]:text-quiet">
            {links.map(
              (it) =>
                it && (
                  <li key={it[0]}>
                    <Link to={it[0]!}>{it[1]}</Link>
                  </li>
                ),
            )}
          </ul>
        </nav>
        <Form
          method="post"
          action={urls.display()}
          reloadDocument
          className="flex flex-wrap items-center gap-2"
        >
          <input type="hidden" name="back" value={pathname + search} />
          <FooterSelect name="locale" label={t("Language")} value={locale} options={LOCALES} />
          <FooterSelect
            name="theme"
            label={t("Theme")}
            value={theme}
            options={{ system: t("System theme"), light: t("Light"), dark: t("Dark") }}
          />
          <FooterSelect
            name="textSize"
            label={t("Text size")}
            value={textSize}
            options={{ normal: t("Normal"), large: t("Large"), larger: t("Larger") }}
          />
          <button
            type="submit"
            className="min-h-8 rounded-control border border-line bg-surface px-3 text-ink"
          >
            {t("Apply")}
          </button>
        </Form>
      </div>
    </footer>
  );
}

const FooterSelect = ({
  name,
  label,
  value,
  options,
}: {
  name: string;
  label: string;
  value: string;
  options: Record<string, string>;
}) => (
  <select
    name={name}
    aria-label={label}
    defaultValue={value}
    className="min-h-8 rounded-control border border-line bg-surface px-2 text-ink"
  >
    {Object.entries(options).map(([code, words]) => (
      <option key={code} value={code} lang={name === "locale" ? code : undefined}>
        {words}
      </option>
    ))}
  </select>
);
