import { type ToggleEvent, useState } from "react";
import { Form } from "react-router";
import type { Draft } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { fetchLiveData } from "../../client/fetch-live-data.ts";
import { DraftSaver } from "../../discussions/drafts/draft-saver.tsx";
import { FormErrors, SubmitButton, TextArea } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { RecipientField } from "./recipient-field.tsx";

type StartedDraft = Pick<Draft, "version" | "title" | "body" | "more">;
type Props = { to: string; open: boolean; clientId: string; draft: StartedDraft | null };

/** Target of a draft without recipient. */
const DRAFT_TARGET = "new:conversation";

/**
 * Form for a new message, which opens in place, also without scripts. An unfinished message is saved as a
 * draft and restored when the form opens.
 */
export function NewMessageForm({ to, open, clientId, draft: asked }: Props) {
  const t = useTranslate();
  const [draft, opened] = useStartedDraft(asked, to === "");
  return (
    <details className="mb-5" open={open} onToggle={opened}>
      <summary className="button w-fit" data-kind="primary" data-compose>
        <i className="icon icon-square-pen size-4" />
        {t("New message")}
      </summary>
      <Form method="post" className="panel mt-3 grid gap-4 p-4">
        {open && <FormErrors />}
        {/* The form may be submitted by keyboard, without a submit button that has this intent. */}
        <input type="hidden" name="intent" value="start" />
        <input type="hidden" name="clientId" value={clientId} />
        <RecipientField key={to} name="to" label={t("To")} defaultValue={to || draft?.more.to} />
        <TextArea
          name="body"
          markdown
          label={t("Message")}
          required
          most={LIMITS.message}
          dir="auto"
          defaultValue={draft?.body}
        />
        {to === "" && <DraftSaver target={DRAFT_TARGET} draft={draft} />}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="hint">{t("Only you and the recipients can read it.")}</p>
          <SubmitButton name="intent" value="start" busy={t("Sending…")}>
            {t("Send")}
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
}

/**
 * Returns the draft of the page, or fetches it when the form is first opened: most readers of the page never
 * open it.
 */
function useStartedDraft(draft: StartedDraft | null, isKept: boolean) {
  const [read, setRead] = useState<StartedDraft | null>(null);
  const opened = ({ newState }: ToggleEvent) => {
    if (newState !== "open" || !isKept || draft !== null || read !== null) return;
    void fetchLiveData<StartedDraft | null>(urls.draftNow(DRAFT_TARGET)).then((it) =>
      setRead(it === "shut" ? null : it),
    );
  };
  return [draft ?? read, opened] as const;
}
