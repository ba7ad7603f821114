import { renderMarkdown } from "#platform/markup";
import { PageHeader, pageMeta, Prose } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/privacy-page";

export const loader = defineLoader(async ({ ctx, app }) => {
  addCacheTags(ctx, "settings");
  return { html: renderMarkdown((await app.settings.get()).privacyText) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Privacy"), canonical: urls.privacy() }));

export default function Privacy({ loaderData: { html } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Privacy")} />
      {html && (
        <section aria-labelledby="own-words" className="mb-8">
          <h2 id="own-words" className="mb-2 font-serif text-large font-semibold">
            {t("In our own words")}
          </h2>
          <Prose html={html} />
        </section>
      )}
      <section aria-labelledby="how" className="prose">
        <h2 id="how" className="font-serif text-large font-semibold">
          {t("How this place treats what you write")}
        </h2>
        <ul>
          <li>{t("Beside everything you write stands who will see it, before you send it.")}</li>
          <li>
            {t(
              "What is said in a private group or a conversation is for those in it. Whoever is outside finds nothing of it, in no list, search or notice.",
            )}
          </li>
          <li>
            {t(
              "An admin can look into a private group for an hour, where something cannot be cleared up otherwise: its owners are told at once and why, and who it was and what they read stands in the group’s log.",
            )}
          </li>
          <li>
            {t("Nobody reads your conversations. If somebody reports a message, those who decide see that message and a few around it.")}
          </li>
          <li>{t("What was reported is kept for a year after it was decided, and that it was reported for two.")}</li>
          <li>
            {t(
              "What those who look after this place do is written down for two years. What you begin and do not send is kept for 180 days.",
            )}
          </li>
          <li>{t("No page loads anything from elsewhere: no trackers, no advertising, no foreign scripts.")}</li>
          <li>{t("Cookies keep you signed in and remember your language, light and text size. There are no others.")}</li>
          <li>
            {t(
              "Whoever stays signed in on a device can read the last pages they read there without a network: groups, discussions and the library, no conversations. These copies lie on that device alone. They go after 14 days, and when that person signs out or another signs in; in the settings they can be switched off.",
            )}
          </li>
          <li>{t("You can take everything you wrote with you, and you can leave.")}</li>
        </ul>
      </section>
    </>
  );
}
