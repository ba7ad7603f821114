import { Form } from "react-router";
import type { FriendLink } from "#community/friends";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../people/action-form.tsx";
import { SubmitButton, Time } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { Rich, useTranslate } from "../i18n/index.ts";

/** Invites a person without an account: a link to send, or a QR code to scan. */
export function InviteFriends({ links }: { links: FriendLink[] }) {
  const t = useTranslate();
  return (
    <section className="mt-8 border-t border-line pt-5" aria-labelledby="invite-friends">
      <h2 id="invite-friends" className="text-large font-semibold">
        {t("Invite with a link")}
      </h2>
      <p className="max-w-measure text-quiet">
        {t(
          "Anyone who opens it becomes your friend, after registering if needed. Valid for {days} days " +
            "and {count} people; you can create ten a day.",
          {
            days: LIMITS.invitation.days,
            count: LIMITS.invitation.uses,
          },
        )}
      </p>
      <CreatedLink />
      <Form method="post" className="mt-3" preventScrollReset>
        <SubmitButton kind="plain" busy={t("One moment…")} name="intent" value="create-link">
          <i className="icon icon-link-2 size-4" />
          {t("Create link")}
        </SubmitButton>
      </Form>
      {links.length > 0 && (
        <>
          <h3 className="mt-5 font-semibold">{t("Active links")}</h3>
          <ul>
            {links.map((link) => (
              <FriendLinkRow key={link.id} link={link} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function FriendLinkRow({ link }: { link: FriendLink }) {
  const t = useTranslate();
  return (
    <li
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b border-line py-2.5
      last:border-b-0"
    >
      <p className="text-small text-quiet">
        <Rich
          text="Created <0></0>, expires <1></1>"
          parts={{ 0: <Time at={link.madeAt} />, 1: <Time at={link.expiresAt} /> }}
        />{" "}
        · {t("{uses} of {most} uses", { uses: link.uses, most: link.mostUses })}
      </p>
      <ActionForm intent="revoke-link" fields={{ linkId: link.id }} busy={t("One moment…")}>
        {t("Revoke")}
      </ActionForm>
    </li>
  );
}

function CreatedLink() {
  const t = useTranslate();
  const answer = useFormResult<{ made?: string; qr?: string } | undefined>();
  if (!answer?.made || !answer.qr) return null;
  return (
    <div className="notice mt-3" data-tone="good" role="status">
      <div className="flex flex-wrap items-start gap-4">
        <div className="min-w-0 flex-1 basis-64">
          <label htmlFor="made" className="font-semibold">
            {t("Here is your link. Copy it now: it is not shown again.")}
          </label>
          <input
            id="made"
            readOnly
            value={answer.made}
            dir="ltr"
            className="input mt-2"
            onFocus={(event) => event.currentTarget.select()}
          />
          <p className="mt-2 text-small text-quiet">{t("People next to you can scan the code.")}</p>
        </div>
        <div
          role="img"
          aria-label={t("QR code of the link")}
          className="w-40 flex-none rounded-control bg-[#fff] p-1 [&_svg]:block [&_svg]:h-auto [&_svg]:w-full"
          dangerouslySetInnerHTML={{ __html: answer.qr }}
        />
      </div>
    </div>
  );
}
