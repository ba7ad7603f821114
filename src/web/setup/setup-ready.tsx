import { InviteLink } from "../groups/join/invite-link.tsx";
import { Notice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { SetupReadyData } from "./complete-setup.ts";

/**
 * Shown once after the set-up: the invite link of the first group, and links to the home page and the group.
 */
export function SetupReady({ ready: { community, email, group, lacksLogo } }: SetupReadyData) {
  const t = useTranslate();
  return (
    <>
      <h1 dir="auto" className="break-words font-serif text-headline font-semibold">
        {t("{community} is ready", { community })}
      </h1>
      <p className="mt-1 mb-5 text-quiet">
        <Rich
          text="We have sent a test email to <0>{email}</0>. Your home page shows whether it was accepted."
          values={{ email }}
          parts={{ 0: <strong className="break-words text-ink" /> }}
        />
      </p>
      {lacksLogo && (
        <div className="mb-5">
          <Notice tone="bad">{t("The logo could not be read. Choose another one in the settings.")}</Notice>
        </div>
      )}
      {group && (
        <section className="panel p-4" aria-label={t("Invite link")}>
          <InviteLink
            label={t("Invite people to {group}", { group: group.name })}
            link={group.link}
            qr={group.qr}
          />
          <p className="mt-2 text-small text-quiet">
            {t("Copy it now: it is not shown again. It is valid for 30 days and 100 people.")}
          </p>
        </section>
      )}
      {/* These links load whole documents, because the pages are now those of a member. */}
      <div className="mt-5 flex flex-wrap gap-2">
        <a href={urls.home()} className="button" data-kind="primary">
          {t("Go to the home page")}
        </a>
        {group && (
          <a href={urls.group(group.slug)} className="button" data-kind="plain">
            {t("Open the group")}
          </a>
        )}
      </div>
    </>
  );
}
