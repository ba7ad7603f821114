import { Form } from "react-router";
import { listMailbox } from "#platform/mail";
import { notFound } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import { EmptyState, PageHeader, pageMeta, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/dev-mailbox-page";
import { Link } from "../../ui/navigation/link.tsx";

export const handle = { asides: "none" };

/**
 * Shows captured mail while no mail server is configured. Anyone who can reach this machine can read it, so
 * the page does not exist in production.
 */
export const loader = defineLoader(async ({ ctx, app, db, url }) => {
  if (!app.mailboxOpen) throw notFound();
  const to = readQueryParam(url, "to", 320);
  const mails = await listMailbox(db, to || undefined);
  // Unlike other pages of guests, this page is not cached, so that the list is always current.
  ctx.shows = null;
  return { to, mails: mails.map(({ id, to: recipient, subject, at }) => ({ id, recipient, subject, at })) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Development mailbox"),
  hidden: true,
}));

export default function Mailbox({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { to, mails } = loaderData;
  return (
    <>
      <PageHeader
        title={t("Development mailbox")}
        lead={t("Email is not sent from this machine. These emails would have been sent, newest first.")}
      />
      <Form className="mb-4 flex gap-2">
        <input
          type="search"
          name="to"
          aria-label={t("Recipient")}
          placeholder={t("Recipient")}
          defaultValue={to}
          maxLength={320}
          className="input"
        />
        <button type="submit" className="button">
          {t("Search")}
        </button>
      </Form>
      {mails.length === 0 ? (
        <EmptyState title={to ? t("No email for that address") : t("No email yet")}>
          {t("Register or request a new password to see an email here.")}
        </EmptyState>
      ) : (
        <ul className="border-t border-line">
          {mails.map((mail) => (
            <li key={mail.id} className="border-b border-line">
              <Link
                to={urls.mailIn(mail.id)}
                className="flex flex-wrap items-baseline gap-x-4 px-2 py-2.5 text-ink no-underline hover:bg-sunken"
              >
                <span className="min-w-0 flex-1 font-semibold break-words" dir="auto">
                  {mail.subject}
                </span>
                <span className="text-small text-quiet">
                  <Time at={mail.at} />
                </span>
                <span className="basis-full text-small text-quiet break-words">
                  {t("to {address}", { address: mail.recipient })}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
