import { Form } from "react-router";
import type { FriendLinkView } from "#community/friends";
import { GuestInvitation } from "../groups/join/guest-invitation.tsx";
import { Avatar, ButtonLink, FormErrors, SubmitButton, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

type ValidFriendLink = Extract<FriendLinkView, { by: unknown }>;

/** Page of a friend link: shows who sent it, and lets the reader accept it or register. */
export function FriendInvite({
  token,
  link,
  registers,
}: {
  token: string;
  link: FriendLinkView;
  registers: boolean;
}) {
  return "by" in link ? (
    <OpenInvite token={token} link={link} registers={registers} />
  ) : (
    <ExpiredInvite state={link.state} />
  );
}

function OpenInvite({
  token,
  link: { state, by },
  registers,
}: {
  token: string;
  link: ValidFriendLink;
  registers: boolean;
}) {
  const t = useTranslate();
  const { me } = useRootData();
  return (
    <>
      <div className="mb-3">
        <Avatar person={by} size={64} />
      </div>
      <h1 dir="auto" className="break-words font-serif text-title font-semibold">
        {state === "own"
          ? t("This is your own link")
          : t("{name} wants to be friends with you", { name: by.name })}
      </h1>
      <p className="mt-2 mb-5 max-w-[52ch] text-quiet">
        {state === "own"
          ? t("Send this link or have it scanned. Anyone who opens it becomes your friend.")
          : t(
              "Friends can always message each other and see what they have in common. You can end a " +
                "friendship at any time; the other is not notified.",
            )}
      </p>
      {me ? (
        state === "open" && (
          <Form method="post" className="grid gap-4">
            <FormErrors />
            <div className="flex flex-wrap gap-2">
              <SubmitButton name="intent" value="befriend" busy={t("One moment…")}>
                {t("Become friends")}
              </SubmitButton>
              <ButtonLink to={urls.home()}>{t("Not now")}</ButtonLink>
            </div>
          </Form>
        )
      ) : (
        <GuestInvitation token={token} registers={registers} />
      )}
    </>
  );
}

/** Why the link is invalid, without naming its owner. */
function ExpiredInvite({ state }: { state: "used" | "expired" | "revoked" }) {
  const t = useTranslate();
  const words = {
    used: [
      t("This invitation has been used."),
      t("This link has been used by as many people as it allows. Ask for a new one."),
    ],
    expired: [t("This invitation has expired."), t("The link has expired after 30 days. Ask for a new one.")],
    revoked: [t("This invitation was revoked."), t("Ask the sender about it.")],
  }[state];
  return (
    <>
      <h1 className="font-serif text-title font-semibold">{words[0]}</h1>
      <p className="mt-2 mb-5 text-quiet">{words[1]}</p>
      <ButtonLink kind="primary" to={urls.home()}>
        {t("Go to the home page")}
      </ButtonLink>
    </>
  );
}
