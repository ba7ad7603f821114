import { Form } from "react-router";
import type { OrphanedGroup, PendingGroup } from "#community/groups";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { Menu, PersonLink, SubmitButton, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { useGroupTexts } from "../group-texts.ts";

/** A new group that waits for approval. */
export function PendingGroupRow({ group }: { group: PendingGroup }) {
  const t = useTranslate();
  const { access } = useGroupTexts();
  const field = `reason-${group.id}`;
  return (
    <li className="panel p-4">
      <h2 dir="auto" className="break-words font-serif text-large font-semibold">
        {group.name}
      </h2>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-quiet">
        {access(group)} · <PersonLink person={group.owner} size={20} /> · <Time at={group.createdAt} />
      </p>
      {group.purpose && (
        <p dir="auto" className="mt-2 break-words">
          {group.purpose}
        </p>
      )}
      {group.rules.length > 0 && (
        <ol dir="auto" className="mt-2 list-decimal ps-6 text-quiet">
          {group.rules.map((rule) => (
            <li key={rule} className="break-words">
              {rule}
            </li>
          ))}
        </ol>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <ActionForm
          intent="approve"
          fields={{ groupId: group.id }}
          kind="primary"
          busy={t("Approving…")}
          label={t("Approve: {name}", { name: group.name })}
        >
          {t("Approve")}
        </ActionForm>
        <Menu label={t("Reject… {name}", { name: group.name })} summary={t("Reject…")} kind="plain">
          <Form method="post" preventScrollReset className="grid w-64 gap-2 p-2">
            <input type="hidden" name="intent" value="decline" />
            <input type="hidden" name="groupId" value={group.id} />
            <label htmlFor={field} className="text-small text-quiet">
              {t("Reason (for {name} and the log)", { name: group.owner.name })}
            </label>
            <input
              id={field}
              name="reason"
              required
              maxLength={LIMITS.reason}
              dir="auto"
              autoComplete="off"
              className="input"
            />
            <SubmitButton kind="danger" busy={t("Saving…")}>
              {t("Reject")}
            </SubmitButton>
          </Form>
        </Menu>
      </div>
    </li>
  );
}

/** A group without an owner. */
export function OrphanedGroupRow({ group }: { group: OrphanedGroup }) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  const field = `owner-candidate-${group.id}`;
  return (
    <li className="panel p-4">
      <h2 dir="auto" className="break-words font-serif text-large font-semibold">
        {group.name}
      </h2>
      <p className="text-quiet">
        {group.askedBy
          ? t("{name} asks for a new owner.", { name: group.askedBy.name })
          : t("A new owner has been requested.")}{" "}
        {group.ownersSeenAt && (
          <Rich text="Owner last active <0></0>." parts={{ 0: <Time at={group.ownersSeenAt} /> }} />
        )}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        {group.proposed.length > 0 && (
          <Form method="post" className="flex flex-wrap items-end gap-2">
            <input type="hidden" name="intent" value="appoint" />
            <input type="hidden" name="groupId" value={group.id} />
            <span className="grid gap-1">
              <label htmlFor={field} className="text-small text-quiet">
                {t("New owner")}
              </label>
              <select id={field} name="personId" className="input">
                {group.proposed.map((person) => (
                  <option key={person.id} value={person.id}>
                    {person.role === "moderator"
                      ? t("{name} ({role})", { name: person.name, role: role[person.role] })
                      : person.name}
                  </option>
                ))}
              </select>
            </span>
            <SubmitButton busy={t("Saving…")}>{t("Appoint")}</SubmitButton>
          </Form>
        )}
        <ActionForm intent="leave" fields={{ groupId: group.id }} busy={t("Saving…")}>
          {t("Leave without owner")}
        </ActionForm>
      </div>
    </li>
  );
}
