import type { ReactNode } from "react";
import { Form } from "react-router";
import type { PersonCard } from "#community/common";
import type { Group } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { CheckField, Menu, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useGroupTexts } from "../group-texts.ts";

/** Menu for members of a group: notification level, and leaving the group. */
export function MembershipMenu({ group }: { group: Group }) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  const name = role[group.viewerRole ?? "member"];
  const levels = [
    ["all", t("All new discussions and replies")],
    ["highlights", t("Highlights")],
    ["mentions", t("Mentions only")],
    ["mute", t("Nothing")],
  ] as const;
  return (
    <Menu
      label={t("Your role: {role}", { role: name })}
      summary={
        <>
          {name}
          <i className="icon icon-chevron-down size-4" />
        </>
      }
      className="[&>summary]:border-line"
    >
      <p className="px-2.5 pt-1 text-small text-quiet">{t("Notifications")}</p>
      {levels.map(([level, words]) => (
        <ActionForm
          key={level}
          inMenu
          intent="notify-level"
          fields={{ groupId: group.id, level }}
          busy={t("Saving…")}
        >
          <i
            role={level === group.notifyLevel ? "img" : undefined}
            aria-label={level === group.notifyLevel ? t("Selected") : undefined}
            className={`icon icon-check size-4 ${level === group.notifyLevel ? "text-accent" : "invisible"}`}
          />
          {words}
        </ActionForm>
      ))}
      <hr className="my-1 border-line" />
      <ActionForm
        inMenu
        intent={group.pinned ? "unpin" : "pin"}
        fields={{ groupId: group.id }}
        busy={t("Saving…")}
      >
        {group.pinned ? t("Unpin") : t("Pin")}
      </ActionForm>
      <LeaveGroup group={group} />
    </Menu>
  );
}

function LeaveGroup({ group }: { group: Group }) {
  const t = useTranslate();
  const goes = group.membersCount === 1 && group.state === "pending";
  const back = group.visibility === "secret" || goes ? urls.groups() : urls.group(group.slug);
  const fields = { groupId: group.id, back };
  const { successors } = group;
  if (successors && successors.length > 0)
    return <LeaveToSuccessor successors={successors} fields={fields} />;
  const consequence = () => {
    if (goes) return t("You are the last member: the group is deleted with you.");
    if (group.membersCount === 1 || successors)
      return t("You are the last member: the group will be archived.");
    if (group.joinPolicy === "invite") return t("You can only come back with an invitation.");
    if (group.joinPolicy === "request") return t("To come back, you have to send a request.");
    return t("You can join again like anyone else.");
  };
  return (
    <LeaveForm fields={fields} button={t("Leave {group}", { group: group.name })} takes={!goes}>
      <p className="text-small text-quiet">
        {consequence()} {group.viewerRole !== "member" && t("You lose your role in the group.")}
      </p>
    </LeaveForm>
  );
}

type LeaveFormProps = {
  fields: Record<string, string>;
  button: string;
  /** Whether the person may have content in the group. */
  takes: boolean;
  children: ReactNode;
};

/** Confirms leaving: explains what it does, and asks whether the member's own content is removed too. */
function LeaveForm({ fields, button, takes, children }: LeaveFormProps) {
  const t = useTranslate();
  return (
    <details>
      <summary className="menu-item text-red">{t("Leave group…")}</summary>
      <Form method="post" className="grid w-64 gap-2 px-2.5 pb-2">
        <input type="hidden" name="intent" value="leave" />
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
        {takes && (
          <CheckField
            name="content"
            value="remove"
            label={t("Also delete my posts")}
            hint={t(
              "Your posts are deleted after one day, unless you return. Where others have replied, an " +
                "empty post with its number stays.",
            )}
          />
        )}
        <SubmitButton kind="danger" busy={t("Leaving…")}>
          {button}
        </SubmitButton>
      </Form>
    </details>
  );
}

/**
 * The last owner must name a successor: moderators are listed first, longest membership on top, then other
 * members.
 */
function LeaveToSuccessor({
  successors,
  fields,
}: {
  successors: PersonCard[];
  fields: Record<string, string>;
}) {
  const t = useTranslate();
  return (
    <LeaveForm fields={fields} button={t("Transfer and leave")} takes>
      <label htmlFor="successor" className="text-small text-quiet">
        {t("You are the only owner. Choose a successor.")} {t("You lose your role in the group.")}
      </label>
      <select id="successor" name="successorId" required className="input">
        {successors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </LeaveForm>
  );
}
