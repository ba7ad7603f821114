import { useEffect, useState } from "react";
import { Form } from "react-router";
import type { WatchedWord } from "#community/prevention";
import { PREVENTION_LIMITS } from "#community/rules";
import { useTranslate } from "../../i18n/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { CheckField, FormErrors, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { useWatchedWordActions } from "./watched-word-actions.ts";
import type { TriedWord } from "./watched-words-page.tsx";
import type { RejectedForm } from "../../request-context.ts";

/** Form of a new or existing watched word. It can be tried before it is saved. */
export function WatchedWordInputs({ word }: { word?: WatchedWord }) {
  const t = useTranslate();
  const actions = useWatchedWordActions();
  const most = PREVENTION_LIMITS.watchedWords;
  const result = useFormResult<Partial<TriedWord & RejectedForm>>();
  const isTooWide = result?.tried?.isTooWide || Boolean(result?.refused?.fields["confirmed"]);
  const given = result?.typed?.["action"] ?? word?.action ?? "approve";
  const [action, setAction] = useState<string | null>(null);
  useEffect(() => setAction(given), [given]);
  return (
    <Form method="post" preventScrollReset className="grid max-w-xl gap-4">
      <FormErrors />
      {word && <input type="hidden" name="id" value={word.id} />}
      <TextField
        name="phrase"
        label={t("Word or pattern")}
        hint={t(
          "Whole words, in upper or lower case. * stands for any letters, ? for one: *coin matches Bitcoin. " +
            "Separate several words with spaces.",
        )}
        defaultValue={word?.phrase}
        required
        maxLength={most.phrase}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
      />
      <SelectField
        name="action"
        label={t("What happens")}
        defaultValue={given}
        onChange={(event) => setAction(event.target.value)}
      >
        {Object.entries(actions).map(([value, { label, effect }]) => (
          <option key={value} value={value}>
            {label}: {effect}
          </option>
        ))}
      </SelectField>
      {/* Without scripts this field is always shown. */}
      {(action === null || action === "replace") && (
        <TextField
          name="replacement"
          label={t("Replacement")}
          hint={t("Only if the word is replaced.")}
          defaultValue={word?.replacement}
          maxLength={most.replacement}
          dir="auto"
        />
      )}
      <TextField
        name="explanation"
        label={t("Explanation (optional)")}
        hint={t("One sentence for the author, such as: Advertising belongs in the marketplace group.")}
        defaultValue={word?.explanation}
        maxLength={most.explanation}
        dir="auto"
      />
      {isTooWide && (
        <CheckField
          name="confirmed"
          label={t("Allow this word to match most posts")}
          defaultChecked={false}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="save" busy={t("Saving…")}>
          {word ? t("Save word") : t("Add word")}
        </SubmitButton>
        <SubmitButton kind="plain" name="intent" value="try" busy={t("Testing…")}>
          {t("Test on recent posts")}
        </SubmitButton>
      </div>
    </Form>
  );
}
