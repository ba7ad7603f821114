import { Form, redirect } from "react-router";
import { changeFeed, FeedChange, type FeedScope, getFeedTokens } from "#community/calendar";
import { requireMember } from "../auth-middleware.ts";
import { parseForm } from "../form-parsing.ts";
import { FormErrors, PageHeader, pageMeta, SubmitButton, TextField } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/calendar-feeds-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, db, viewer }) => {
  const tokens = await getFeedTokens(db, app.signer, viewer);
  const toAddress = (token: string | null) => token && app.origin() + urls.personalCalendar(token);
  return { addresses: { answered: toAddress(tokens.answered), groups: toAddress(tokens.groups) } };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const change = parseForm(FeedChange, form);
  await app.database.inTransaction((tx) => changeFeed(tx, viewer, change));
  return redirect(urls.calendarFeeds());
});

export const meta = pageMeta((_data, t) => ({ title: t("Calendar feeds"), hidden: true }));

export default function CalendarFeedsPage({ loaderData: { addresses } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Calendar feeds")}
        lead={<Link to={urls.events()}>{t("Events", undefined, "calendar")}</Link>}
      />
      <p className="mb-5">
        {t(
          "Add an address to your calendar app to see your events there. Keep it secret: anyone with the " +
            "address can read these events.",
        )}
      </p>
      <FormErrors />
      <PersonalFeed scope="answered" address={addresses.answered} title={t("Events you answered")} />
      <PersonalFeed scope="groups" address={addresses.groups} title={t("Events of your groups")} />
    </>
  );
}

type FeedProps = { scope: FeedScope; address: string | null; title: string };

function PersonalFeed({ scope, address, title }: FeedProps) {
  const t = useTranslate();
  return (
    <section aria-labelledby={`feed-${scope}`} className="mb-8">
      <h2 id={`feed-${scope}`} className="mb-2 text-large font-semibold">
        {title}
      </h2>
      <Form method="post" preventScrollReset className="grid gap-3">
        <input type="hidden" name="scope" value={scope} />
        {address && (
          <TextField
            key={address}
            name={`address-${scope}`}
            label={t("Address")}
            hint={t("A new address disables the old one.")}
            defaultValue={address}
            readOnly
            dir="ltr"
          />
        )}
        <p className="flex flex-wrap gap-2">
          {address && (
            <a href={address.replace(/^https?:/, "webcal:")} data-kind="primary" className="button">
              {t("Subscribe")}
            </a>
          )}
          <SubmitButton kind="plain" name="intent" value="renew" busy={t("Saving…")}>
            {address ? t("New address") : t("Create address")}
          </SubmitButton>
          {address && (
            <SubmitButton kind="plain" name="intent" value="revoke" busy={t("Saving…")}>
              {t("Revoke")}
            </SubmitButton>
          )}
        </p>
      </Form>
    </section>
  );
}
