import { SquarePen } from "lucide-react";
import { type ToggleEvent, useState } from "react";
import { Form } from "react-router";
import type { Draft } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { readAgain } from "../client/read-again.ts";
import { DraftKeeper } from "../discussions/draft-keeper.tsx";
import { FormFaults, SubmitButton, TextArea } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { RecipientField } from "./recipient-field.tsx";

type Begun = Pick<Draft, "version" | "title" | "body" | "more">;
type Props = { to: string; open: boolean; clientId: string; draft: Begun | null };

/** Where a draft stands that is for nobody yet. */
const PLACE = "new:conversation";

/** Opens in place; also without scripts. What was begun is kept, and stands there when it is opened again. */
export function NewMessageForm({ to, open, clientId, draft: asked }: Props) {
  const t = useWords();
  const [draft, opened] = useBegun(asked, to === "");
  return (
    <details className="mb-5" open={open} onToggle={opened}>
      <summary className="button w-fit" data-kind="primary" data-compose>
        <SquarePen size={16} strokeWidth={1.75} aria-hidden />
        {t("New message")}
      </summary>
      <Form method="post" className="panel mt-3 grid gap-4 p-4">
        {open && <FormFaults />}
        {/* Sent from within the text, it goes without its button. */}
        <input type="hidden" name="intent" value="start" />
        <input type="hidden" name="clientId" value={clientId} />
        <RecipientField key={to} name="to" label={t("To")} defaultValue={to || draft?.more.to} />
        <TextArea name="body" label={t("Message")} required most={LIMITS.message} dir="auto" defaultValue={draft?.body} />
        {to === "" && <DraftKeeper place={PLACE} draft={draft} />}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="hint">{t("Only you and those you write to will see it.")}</p>
          <SubmitButton name="intent" value="start" busy={t("Sending…")}>
            {t("Send")}
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
}

/** What was begun, as the page says or as it is read when the form is opened first: most who see the page want no form. */
function useBegun(asked: Begun | null, isKept: boolean) {
  const [read, setRead] = useState<Begun | null>(null);
  const opened = ({ newState }: ToggleEvent) => {
    if (newState !== "open" || !isKept || asked !== null || read !== null) return;
    void readAgain<Begun | null>(urls.draftNow(PLACE)).then((it) => setRead(it === "shut" ? null : it));
  };
  return [asked ?? read, opened] as const;
}
