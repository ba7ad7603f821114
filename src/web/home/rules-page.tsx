import { renderMarkdown } from "#platform/markup";
import { EmptyState, PageHeader, pageMeta, Prose, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/rules-page";

export const loader = defineLoader(async ({ ctx, app }) => {
  addCacheTags(ctx, "settings");
  const { rules, rulesVersion, siteRules } = await app.settings.get();
  return {
    html: renderMarkdown(rules),
    siteRules: siteRules.filter(({ isRetired }) => !isRetired).map(({ text }) => text),
    version: rulesVersion,
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Rules"),
  canonical: urls.rules(),
}));

export default function Rules({ loaderData: { html, siteRules, version } }: Route.ComponentProps) {
  const t = useTranslate();
  const { community } = useRootData();
  return (
    <>
      <PageHeader
        title={t("Rules")}
        lead={t("Rules of {name}. Version {version}.", { name: community.name, version })}
      />
      {html && (
        <>
          <h2 className="sr-only">{t("Rules")}</h2>
          <Prose html={html} />
        </>
      )}
      {siteRules.length > 0 && (
        <section aria-labelledby="cited" className={html ? "mt-8" : ""}>
          <h2 id="cited" className="mb-3 font-serif text-large font-semibold">
            {t("Rules that decisions of moderators cite")}
          </h2>
          <ol className="grid max-w-xl list-decimal gap-2 ps-6">
            {siteRules.map((text) => (
              <li key={text} dir="auto" className="break-words">
                {text}
              </li>
            ))}
          </ol>
        </section>
      )}
      {!html && siteRules.length === 0 && (
        <EmptyState title={t("No rules yet.")}>{t("Be kind to each other.")}</EmptyState>
      )}
    </>
  );
}
