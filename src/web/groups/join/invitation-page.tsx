import { Form, redirect } from "react-router";
import { acceptInvitation, declineInvitation, getInvitation, type InvitationView } from "#community/groups";
import { FriendInvite } from "../../friends/friend-invite.tsx";
import { acceptFriendLinkAndGetUrl, findFriendLinkByToken } from "../../friends/find-friend-link.ts";
import {
  Avatar,
  ButtonLink,
  FormErrors,
  HeaderPicture,
  Notice,
  pageMeta,
  SubmitButton,
  useRootData,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/invitation-page";
import { AnswerFields } from "./answer-fields.tsx";
import { GuestInvitation } from "./guest-invitation.tsx";
import { readAnswers } from "../page/group-commands.ts";
import { useInvitationErrors } from "./invitation-errors.ts";
import { useGroupTexts } from "../group-texts.ts";

export const loader = defineLoader(async ({ ctx, viewer, db, app, params }) => {
  const token = params["token"]!;
  // The token is in this page's address, so other sites do not get it as referrer. Forms still send the
  // referrer to this site.
  ctx.headers["referrer-policy"] = "same-origin";
  const link = await findFriendLinkByToken(db, viewer, token, ctx.now);
  if (link?.state === "friends") throw redirect(urls.person(link.by.id));
  const registers = (await app.settings.get()).registration !== "closed";
  if (link) return { token, link, found: null, registers };
  const found = await getInvitation(db, viewer, token, ctx.now);
  if (found.state === "open" && found.group.viewerState === "member")
    throw redirect(urls.group(found.group.slug));
  return { token, found, link: null, registers: registers || (found.state === "open" && found.registers) };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  const token = params["token"]!;
  if (form.get("intent") === "befriend")
    return redirect(await app.database.inTransaction((tx) => acceptFriendLinkAndGetUrl(tx, viewer, token)));
  if (form.get("intent") === "decline") {
    await app.database.inTransaction((tx) => declineInvitation(tx, viewer, { token }));
    return redirect(urls.groups());
  }
  const { slug } = await app.database.inTransaction((tx) =>
    acceptInvitation(tx, viewer, { token, ...readAnswers(form) }),
  );
  return redirect(urls.group(slug));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Invitation"),
  hidden: true,
}));

export default function InvitationPage({
  loaderData: { token, found, link, registers },
}: Route.ComponentProps) {
  if (link) return <FriendInvite token={token} link={link} registers={registers} />;
  if (!found) return null;
  if (found.state !== "open") return <EndedInvitation state={found.state} token={token} />;
  return <OpenInvitation token={token} found={found} registers={registers} />;
}

type OpenInvitationData = Extract<InvitationView, { state: "open" }>;

type OpenInvitationProps = { token: string; found: OpenInvitationData; registers: boolean };

function OpenInvitation({ token, found: { group, by, entry }, registers }: OpenInvitationProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const { access, members } = useGroupTexts();
  return (
    <>
      <HeaderPicture
        headerId={group.visibility === "secret" ? null : group.headerId}
        style={group.headerStyle}
        className="mb-4 h-24"
      />
      <p className="flex items-center gap-2 text-quiet">
        <Avatar person={by} size={24} />
        <span dir="auto">{t("{name} invites you to", { name: by.name })}</span>
      </p>
      <h1 dir="auto" className="mt-1 break-words font-serif text-title font-semibold">
        {group.name}
      </h1>
      <p className="text-small text-quiet">
        {access(group)} · {members(group.membersCount)}
      </p>
      {group.purpose && (
        <p dir="auto" className="mt-2 break-words text-read">
          {group.purpose}
        </p>
      )}
      <div className="mt-5">
        {me ? (
          <InvitationAnswer group={group} entry={entry} />
        ) : (
          <GuestInvitation token={token} registers={registers} />
        )}
      </div>
    </>
  );
}

function InvitationAnswer({ group, entry }: Pick<OpenInvitationData, "group" | "entry">) {
  const t = useTranslate();
  if (group.viewerState === "requested" && entry === "ask")
    return (
      <Notice tone="pending">
        <p>{t("Your join request was sent. A moderator will answer.")}</p>
      </Notice>
    );
  return (
    <Form method="post" className="grid gap-4">
      <FormErrors />
      {entry === "ask" && <AnswerFields questions={group.questions} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="accept" busy={t("Joining…")}>
          {entry === "join" ? t("Accept and join") : t("Request to join")}
        </SubmitButton>
        <SubmitButton kind="plain" name="intent" value="decline" busy={t("Declining…")}>
          {t("Decline")}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Why the invitation no longer works, without naming the group. */
function EndedInvitation({
  state,
  token,
}: {
  state: Exclude<InvitationView["state"], "open">;
  token: string;
}) {
  const t = useTranslate();
  const { me } = useRootData();
  const words = useInvitationErrors()(state);
  return (
    <>
      <h1 className="font-serif text-title font-semibold">{words[0]}</h1>
      <p className="mt-2 mb-5 text-quiet">{words[1]}</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
          {t("Discover groups")}
        </ButtonLink>
        {!me && <ButtonLink to={urls.login({ next: urls.invite(token) })}>{t("Sign in")}</ButtonLink>}
      </div>
    </>
  );
}
