import { Form } from "react-router";
import { Notice, SubmitButton, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { GroupData } from "../page/group-data.ts";
import { AnswerFields } from "./answer-fields.tsx";
import { useGroupTexts } from "../group-texts.ts";

/** Shows people who are not members their status in the group, and what they can do about it. */
export function MembershipStatus({ data: { group, can } }: { data: GroupData }) {
  const t = useTranslate();
  const { viewerState: state, name } = group;
  const line = () => {
    if (group.state === "pending") return <PendingNotice group={group} />;
    if (state === "banned") return <BannedNotice group={group} />;
    if (group.state === "archived") return <ArchivedNotice canRead={can.read} />;
    if (state === "member" && group.opening)
      return <VisibilityChangeNotice group={group} opening={group.opening} />;
    if (state === "member")
      return (
        can.readsFrom !== null && (
          <p className="text-small text-quiet">
            <Rich text="You can read posts since <0></0>." parts={{ 0: <Time at={can.readsFrom} /> }} />
          </p>
        )
      );
    if (state === "requested" && can.join)
      return (
        <Notice tone="good">
          {t("You requested to join. The group is open now: you can join directly.")}
        </Notice>
      );
    if (state === "requested")
      return (
        <Notice tone="pending">
          <Rich
            text="<0>Your join request was sent.</0> A moderator will answer."
            parts={{ 0: <strong /> }}
          />
        </Notice>
      );
    if (state === "invited")
      return (
        <Notice tone="good">
          {group.invitedBy
            ? t("{person} invited you to {group}.", { person: group.invitedBy.name, group: name })
            : t("You are invited to {group}.", { group: name })}
        </Notice>
      );
    if (can.ask) return <JoinRequestForm data={{ group }} />;
    if (!can.read && group.joinPolicy === "invite")
      return (
        <Notice>
          {group.invitesBy === "moderators"
            ? t("You can join when a moderator invites you.")
            : t("You can join when a member invites you.")}
        </Notice>
      );
    return null;
  };
  const content = line();
  return (
    <div className="mb-4 grid gap-4 empty:hidden">
      <DeclinedNotice group={group} />
      {content}
    </div>
  );
}

function ArchivedNotice({ canRead }: { canRead: boolean }) {
  return (
    <Notice>
      {canRead ? (
        <Rich
          text="<0>This group is archived.</0> It is read-only and cannot be joined."
          parts={{ 0: <strong /> }}
        />
      ) : (
        <Rich
          text="<0>This group is archived.</0> Only members can read it, and it cannot be joined."
          parts={{ 0: <strong /> }}
        />
      )}
    </Notice>
  );
}

/**
 * Shows a banned person the reason and the end of the ban, and a link to the appeal, even if the group is
 * archived.
 */
function BannedNotice({ group }: Pick<GroupData, "group">) {
  const t = useTranslate();
  return (
    <Notice tone="bad">
      {group.bannedUntil ? (
        <Rich
          text="You are banned from this group until <0></0>."
          parts={{ 0: <Time at={group.bannedUntil} /> }}
        />
      ) : (
        t("You are banned from this group.")
      )}
      <ReasonText text={group.reason} />
      <Link to={urls.groupAppeal(group.id)}>{t("Appeal ban")}</Link>
    </Notice>
  );
}

/** Shows the owner of a new group that it awaits approval, or why it was declined. */
function PendingNotice({ group }: Pick<GroupData, "group">) {
  const t = useTranslate();
  if (!group.reason)
    return <Notice tone="pending">{t("This group awaits approval. Until then only you see it.")}</Notice>;
  return (
    <Notice tone="bad">
      {t("This group was rejected. Edit it to have it reviewed again, or delete it.")}
      <ReasonText text={group.reason} />
    </Notice>
  );
}

/**
 * Shows people who were declined or removed (and perhaps invited since) the decision and its reason. The ways
 * to join remain visible.
 */
function DeclinedNotice({
  group: { state: groupState, viewerState: state, reason, askAgainAt },
}: Pick<GroupData, "group">) {
  const t = useTranslate();
  const declined = state === "declined" || askAgainAt !== null;
  if (!declined && state !== "removed") return null;
  const open = groupState === "active";
  return (
    <Notice tone="pending">
      {state === "removed" &&
        (open
          ? t("You were removed from this group. You can join again.")
          : t("You were removed from this group."))}
      {declined && !open && t("Your request was rejected.")}
      {open && askAgainAt && (
        <Rich
          text="Your request was rejected. You can request again <0></0>."
          parts={{ 0: <Time at={askAgainAt} /> }}
        />
      )}
      <ReasonText text={reason} />
    </Notice>
  );
}

const ReasonText = ({ text }: { text: string }) =>
  text && (
    <p dir="auto" className="mt-1">
      {text}
    </p>
  );

/**
 * Warns members that more people will be able to see the group than when they wrote their posts, and
 * explains the consequences.
 */
function VisibilityChangeNotice({
  group,
  opening,
}: Pick<GroupData, "group"> & { opening: NonNullable<GroupData["group"]["opening"]> }) {
  const { access } = useGroupTexts();
  return (
    <Notice tone="pending">
      <Rich
        text={
          "<0>The visibility of {group} changes <1></1>.</0> New visibility: {access}. Earlier " +
          "posts stay visible to current members only."
        }
        values={{ group: group.name, access: access(opening) }}
        parts={{ 0: <strong />, 1: <Time at={opening.at} /> }}
      />
    </Notice>
  );
}

/** Form for a join request, with answers to the group's questions. */
function JoinRequestForm({ data: { group } }: { data: Pick<GroupData, "group"> }) {
  const t = useTranslate();
  return (
    <section id="ask" aria-labelledby="ask-title" className="panel scroll-mt-16 p-4">
      <h2 id="ask-title" className="font-serif text-large font-semibold">
        {t("Request to join")}
      </h2>
      <p className="text-quiet">
        {group.questions.length > 0
          ? t("Moderators read your answers and approve your request.")
          : t("A moderator approves your request.")}
      </p>
      <Form method="post" className="mt-3 grid gap-4">
        <input type="hidden" name="intent" value="request" />
        <input type="hidden" name="groupId" value={group.id} />
        <AnswerFields questions={group.questions} required />
        <div>
          <SubmitButton busy={t("Requesting…")}>{t("Request to join")}</SubmitButton>
        </div>
      </Form>
    </section>
  );
}
