import { Form } from "react-router";
import { FormErrors, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { StepButtons } from "./step-buttons.tsx";
import type { StepProps, WelcomeData } from "./welcome-page.tsx";
import { Link } from "../ui/navigation/link.tsx";

type Group = NonNullable<WelcomeData["groups"]>["offered"][number];

export function GroupsStep({ data: { groups, invitation, at } }: StepProps) {
  const t = useTranslate();
  if (!groups) return null;
  const { mine, offered } = groups;
  // Invitation to a group with entry questions. The group's own page opens next and asks these questions.
  const asksIn = invitation?.entry === "join" && !invitation.isIn ? invitation : null;
  const bare = offered.length === 0 && !asksIn;
  return (
    <Form method="post" className="grid gap-5">
      <FormErrors />
      <div>
        <h2 className="font-serif text-large font-semibold">{t("Choose your groups")}</h2>
        <p className="text-quiet">
          {t("Discussions are held in groups. Join one or two to begin with; you can leave at any time.")}
        </p>
      </div>
      {asksIn && (
        <label className="check">
          <input type="checkbox" name="accept" value="yes" defaultChecked />
          <span dir="auto">
            {t("Join {group} (invited by {person})", { group: asksIn.group.name, person: asksIn.by.name })}
          </span>
        </label>
      )}
      {mine.length > 0 && (
        <p>{t("You are already in {groups}.", { groups: mine.map((group) => group.name).join(", ") })}</p>
      )}
      {offered.length === 0 && (
        <p className="text-quiet">{t("There are no groups to join at the moment.")}</p>
      )}
      <ul className="border-t border-line">
        {offered.map((group) => (
          <li key={group.id} className="border-b border-line py-3">
            {group.joinPolicy === "open" ? <OpenGroup group={group} /> : <GroupOnRequest group={group} />}
          </li>
        ))}
      </ul>
      <StepButtons step={3} at={at} intent="groups" bare={bare}>
        {bare ? t("Continue") : t("Join and continue")}
      </StepButtons>
    </Form>
  );
}

const OpenGroup = ({ group }: { group: Group }) => (
  <label className="check">
    <input type="checkbox" name="groups[]" value={group.id} />
    <span className="min-w-0 flex-1">
      <GroupSummary group={group} />
    </span>
  </label>
);

function GroupOnRequest({ group }: { group: Group }) {
  const t = useTranslate();
  return (
    <div className="flex items-start justify-between gap-3 ps-7">
      <div className="min-w-0">
        <GroupSummary group={group} />
      </div>
      {group.viewerState === "requested" ? (
        <p className="flex-none text-small text-amber">{t("Requested")}</p>
      ) : (
        <Link to={urls.group(group.slug)} target="_blank" className="flex-none">
          {t("Request to join")}
          <span className="sr-only"> {group.name}</span>
        </Link>
      )}
    </div>
  );
}

function GroupSummary({ group }: { group: Group }) {
  const t = useTranslate();
  return (
    <>
      <span className="block font-serif text-read font-semibold" dir="auto">
        {group.name}
      </span>
      {group.purpose && (
        <span className="block text-quiet" dir="auto">
          {group.purpose}
        </span>
      )}
      <span className="block text-small text-quiet">
        {t("{n, plural, one {# member} other {# members}}", { n: group.membersCount })} · {t("last active")}{" "}
        <Time at={group.lastActiveAt} />
      </span>
    </>
  );
}
