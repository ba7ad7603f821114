import { Form } from "react-router";
import type { Conversation } from "#community/conversations";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../people/action-form.tsx";
import { PersonLink, SubmitButton, TextField } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { RecipientField } from "./inbox/recipient-field.tsx";

/**
 * Participants of a group conversation; they can add people and rename it, and its creator can remove people.
 */
export function ConversationMembers({ conversation }: { conversation: Conversation }) {
  const t = useTranslate();
  const { others, viewerState, mine } = conversation;
  const answer = useFormResult<RejectedForm | null>();
  const refused = answer && "refused" in answer ? String(answer.typed["intent"]) : "";
  return (
    <details open={["add", "rename", "remove"].includes(refused) || undefined}>
      <summary className="w-fit text-small text-quiet underline">
        {t("{count, plural, =0 {Only you} one {You and # other} other {You and # others}}", {
          count: others.length,
        })}
      </summary>
      <ul className="mt-2 grid grid-cols-1 gap-1">
        {others.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-2">
            <PersonLink person={person} />
            {!person.accepted && <span className="text-small text-amber">{t("not accepted yet")}</span>}
            {mine && viewerState === "accepted" && (
              <ActionForm
                intent="remove"
                fields={{ personId: person.id }}
                kind="quiet"
                busy={t("One moment…")}
                label={t("Remove {name}", { name: person.name })}
              >
                {t("Remove")}
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {viewerState === "accepted" && <ManageMembers conversation={conversation} />}
    </details>
  );
}

function ManageMembers({ conversation: { name, others } }: { conversation: Conversation }) {
  const t = useTranslate();
  return (
    <div className="mt-3 grid gap-3 rounded-panel border border-line bg-surface p-3">
      {others.length + 1 < LIMITS.conversation.people && (
        <Form method="post" className="grid justify-items-start gap-2 [&>.field]:w-full" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <RecipientField
            name="to"
            label={t("Add people")}
            hint={t("Usernames, separated by commas. These people see messages from now on.")}
          />
          <SubmitButton busy={t("One moment…")} kind="plain">
            {t("Add")}
          </SubmitButton>
        </Form>
      )}
      <Form
        method="post"
        className="grid justify-items-start gap-2 [&>.field]:w-full"
        preventScrollReset
        key={name}
      >
        <input type="hidden" name="intent" value="rename" />
        <TextField
          name="name"
          label={t("Name of the conversation")}
          defaultValue={name}
          maxLength={LIMITS.conversation.name}
          dir="auto"
          autoComplete="off"
        />
        <SubmitButton busy={t("Saving…")} kind="plain">
          {t("Save name")}
        </SubmitButton>
      </Form>
    </div>
  );
}
