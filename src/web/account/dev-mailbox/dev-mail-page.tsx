import { isId } from "#platform/ids";
import { getMailboxEntry } from "#platform/mail";
import { notFound } from "#platform/refusal";
import { renderEmailHtml } from "../../emails/email-template.tsx";
import { PageHeader, pageMeta, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/dev-mail-page";
import { Link } from "../../ui/navigation/link.tsx";

export const handle = { asides: "none" };

export const loader = defineLoader(async ({ ctx, app, db, params }) => {
  const id = params["id"] ?? "";
  const mail = app.mailboxOpen && isId(id) ? await getMailboxEntry(db, id) : undefined;
  if (!mail) throw notFound();
  ctx.shows = null;
  const { letter, ...words } = mail;
  return { mail: { ...words, html: letter ? await renderEmailHtml(letter) : words.html } };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ mail }) => ({
  title: mail.subject,
  hidden: true,
}));

export default function Mail({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { mail } = loaderData;
  return (
    <article>
      <Link to={urls.mailbox()} className="button mb-4" data-kind="quiet">
        <i className="icon icon-arrow-left rtl:rotate-180" />
        {t("Development mailbox")}
      </Link>
      <PageHeader
        title={mail.subject}
        lead={
          <>
            {t("to {address}", { address: mail.to })} · <Time at={mail.at} />
          </>
        }
      />
      <h2 className="mb-1 text-base font-semibold">{t("Plain text")}</h2>
      <pre className="panel p-4 font-sans break-words whitespace-pre-wrap" dir="auto" data-testid="mail-text">
        <LinkedText text={mail.text} />
      </pre>
      {mail.attachments.length > 0 && (
        <p className="mt-3 text-small break-words">
          {t("Attachments: {names}", { names: mail.attachments.join(", ") })}
        </p>
      )}
      <h2 className="mt-6 mb-1 text-base font-semibold">{t("HTML")}</h2>
      {/* The sandbox allows no scripts or forms and not our origin; links open in a new window. */}
      <iframe
        title={t("Email as HTML")}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcDoc={`<base target="_blank">${mail.html}`}
        className="h-[26rem] w-full rounded-panel border border-line bg-[#fff]"
      />
    </article>
  );
}

/** Text with its URLs as links. */
const LinkedText = ({ text }: { text: string }) =>
  text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
