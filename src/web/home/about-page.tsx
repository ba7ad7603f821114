import { renderMarkdown } from "#platform/markup";
import { ButtonLink, PageHeader, pageMeta, Prose, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/about-page";
import { Link } from "../ui/navigation/link.tsx";

export const loader = defineLoader(async ({ ctx, app }) => {
  addCacheTags(ctx, "settings");
  const { about, welcome } = await app.settings.get();
  return { html: renderMarkdown(about || welcome) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t, { community }) => ({
  title: t("About {name}", { name: community.name }),
  canonical: urls.about(),
}));

export default function About({ loaderData: { html } }: Route.ComponentProps) {
  const t = useTranslate();
  const { community, me } = useRootData();
  return (
    <>
      <PageHeader title={t("About {name}", { name: community.name })} lead={community.sentence} />
      {html && (
        <>
          <h2 className="sr-only">{t("About us")}</h2>
          <Prose html={html} />
        </>
      )}
      <p className="mt-6 flex flex-wrap gap-2">
        {!me && (
          <ButtonLink kind="primary" to={urls.register()}>
            {t("Sign up")}
          </ButtonLink>
        )}
        <ButtonLink to={urls.groups({ tab: me ? "discover" : undefined })}>{t("Browse groups")}</ButtonLink>
      </p>
      <p className="mt-8 border-t border-line pt-4 text-small text-quiet">
        {t("This site runs on Kith, free software for communities.")}{" "}
        <Link to={urls.rules()} className="text-quiet">
          {t("Rules")}
        </Link>{" "}
        ·{" "}
        <Link to={urls.privacy()} className="text-quiet">
          {t("Privacy")}
        </Link>{" "}
        ·{" "}
        <Link to={urls.transparency()} className="text-quiet">
          {t("Moderation statistics")}
        </Link>
      </p>
    </>
  );
}
