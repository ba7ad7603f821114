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

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Privacy"),
  canonical: urls.privacy(),
}));

export default function Privacy({ loaderData: { html } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Privacy")} />
      {html && (
        <section aria-labelledby="own-words" className="mb-8">
          <h2 id="own-words" className="mb-2 font-serif text-large font-semibold">
            {t("Our privacy policy")}
          </h2>
          <Prose html={html} />
        </section>
      )}
      <section aria-labelledby="how" className="prose">
        <h2 id="how" className="font-serif text-large font-semibold">
          {t("Privacy")}
        </h2>
        <ul>
          <li>{t("Before you post, you see who will be able to read it.")}</li>
          <li>
            {t(
              "Content of private groups and conversations is visible to their members only, in lists, " +
                "search and notifications too.",
            )}
          </li>
          <li>
            {t(
              "Admins can inspect a private group for an hour. Its owners are notified with the " +
                "reason, and the group's log shows who read what.",
            )}
          </li>
          <li>
            {t(
              "Staff cannot read your conversations. If a message is reported, they see that message " +
                "and a few around it.",
            )}
          </li>
          <li>
            {t(
              "Name and email address of a guest who reports content are deleted with the report, or after " +
                "two days if the guest does not confirm it.",
            )}
          </li>
          <li>
            {t(
              "Reported content is kept for one year after the decision, the report itself for two " +
                "years.",
            )}
          </li>
          <li>{t("Actions of staff are logged for two years. Drafts are kept for 180 days.")}</li>
          <li>{t("Pages load nothing from other sites: no trackers, no advertising.")}</li>
          <li>
            {t(
              "Cookies keep you signed in and remember language, theme and text size. There are no " +
                "other cookies.",
            )}
          </li>
          <li>
            {t(
              "If you stay signed in on a device, recently read pages are available offline there: " +
                "groups, discussions and the library, no conversations. They are deleted after 14 days and when you " +
                "sign out; you can turn this off in the settings.",
            )}
          </li>
          <li>{t("You can export everything you wrote, and delete your account.")}</li>
        </ul>
      </section>
    </>
  );
}
