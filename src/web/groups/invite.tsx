import { Form, redirect } from "react-router";
import { acceptInvitation, declineInvitation, invitationFor, type InvitationFound } from "#community/groups";
import { FriendInvite } from "../friends/friend-invite.tsx";
import { befriend, friendLinkIn } from "../friends/link-found.ts";
import { Avatar, ButtonLink, FormFaults, HeaderPicture, Notice, pageMeta, SubmitButton, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/invite";
import { AnswerFields } from "./answer-fields.tsx";
import { ComeIn } from "./come-in.tsx";
import { answersIn } from "./group-verbs.ts";
import { useInvitationOver } from "./invitation-over.ts";
import { useGroupWords } from "./words.ts";

export const loader = reading(async ({ visit, viewer, db, house, params }) => {
  const token = params["token"]!;
  // The token is in this page's address, so it is not sent to other sites as referrer. Forms still send it to
  // ours.
  visit.headers["referrer-policy"] = "same-origin";
  const link = await friendLinkIn(db, viewer, token, visit.now);
  if (link?.state === "friends") throw redirect(urls.person(link.by.id));
  const registers = (await house.settings.get()).registration !== "closed";
  if (link) return { token, link, found: null, registers };
  const found = await invitationFor(db, viewer, token, visit.now);
  if (found.state === "open" && found.group.viewerState === "member") throw redirect(urls.group(found.group.slug));
  return { token, found, link: null, registers: registers || (found.state === "open" && found.registers) };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  const token = params["token"]!;
  if (form.get("intent") === "befriend") return redirect(await house.database.inTransaction((tx) => befriend(tx, viewer, token)));
  if (form.get("intent") === "decline") {
    await house.database.inTransaction((tx) => declineInvitation(tx, viewer, { token }));
    return redirect(urls.groups());
  }
  const { slug } = await house.database.inTransaction((tx) => acceptInvitation(tx, viewer, { token, ...answersIn(form) }));
  return redirect(urls.group(slug));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Invitation"), hidden: true }));

export default function Invite({ loaderData: { token, found, link, registers } }: Route.ComponentProps) {
  if (link) return <FriendInvite token={token} link={link} registers={registers} />;
  if (!found) return null;
  if (found.state !== "open") return <Over state={found.state} token={token} />;
  return <Open token={token} found={found} registers={registers} />;
}

type Holding = Extract<InvitationFound, { state: "open" }>;

type OpenProps = { token: string; found: Holding; registers: boolean };

function Open({ token, found: { group, by, entry }, registers }: OpenProps) {
  const t = useWords();
  const { me } = useRoot();
  const { door, members } = useGroupWords();
  return (
    <>
      <HeaderPicture headerId={group.visibility === "secret" ? null : group.headerId} style={group.headerStyle} className="mb-4 h-24" />
      <p className="flex items-center gap-2 text-quiet">
        <Avatar person={by} size={24} />
        <span dir="auto">{t("{name} invites you to", { name: by.name })}</span>
      </p>
      <h1 dir="auto" className="mt-1 break-words font-serif text-title font-semibold">
        {group.name}
      </h1>
      <p className="text-small text-quiet">
        {door(group)} · {members(group.membersCount)}
      </p>
      {group.purpose && (
        <p dir="auto" className="mt-2 break-words text-read">
          {group.purpose}
        </p>
      )}
      <div className="mt-5">{me ? <Answer group={group} entry={entry} /> : <ComeIn token={token} registers={registers} />}</div>
    </>
  );
}

function Answer({ group, entry }: Pick<Holding, "group" | "entry">) {
  const t = useWords();
  if (group.viewerState === "requested" && entry === "ask")
    return (
      <Notice tone="pending">
        <p>{t("You have asked to be let in. Somebody will answer.")}</p>
      </Notice>
    );
  return (
    <Form method="post" className="grid gap-4">
      <FormFaults />
      {entry === "ask" && <AnswerFields questions={group.questions} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="accept" busy={t("Joining…")}>
          {entry === "join" ? t("Accept and join") : t("Ask to be let in")}
        </SubmitButton>
        <SubmitButton kind="plain" name="intent" value="decline" busy={t("Declining…")}>
          {t("Decline")}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Why the invitation no longer works, without naming the group. */
function Over({ state, token }: { state: Exclude<InvitationFound["state"], "open">; token: string }) {
  const t = useWords();
  const { me } = useRoot();
  const words = useInvitationOver()(state);
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
