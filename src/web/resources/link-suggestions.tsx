import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { Button, SubmitButton, TextField, Time } from "../ui/index.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { ResourcePageData } from "./resource-data.ts";

type PendingSuggestion = NonNullable<ResourcePageData["link"]>["suggestions"][number];

/** Suggested replacements for a dead link, and a form to suggest another. */
export function LinkSuggestions({ page: { link, can } }: { page: ResourcePageData }) {
  const t = useTranslate();
  if (!link || (link.suggestions.length === 0 && !can.suggest)) return null;
  return (
    <section aria-labelledby="new-address" className="grid gap-3 border-t border-line pt-4">
      <h2 id="new-address" className="font-semibold">
        {t("New link")}
      </h2>
      {link.suggestions.map((suggestion) => (
        <SuggestionRow key={suggestion.id} suggestion={suggestion} decides={can.edit} />
      ))}
      {can.suggest && (
        <Form
          method="post"
          className="flex flex-wrap items-end gap-3"
          key={link.suggestions.find((it) => it.mine)?.url}
        >
          <div className="min-w-0 flex-1 basis-60">
            <TextField
              name="url"
              type="url"
              inputMode="url"
              label={t("Correct link")}
              placeholder="https://"
              required
              maxLength={LIMITS.url}
              autoComplete="off"
              defaultValue={link.movedTo ?? undefined}
            />
          </div>
          <SubmitButton name="intent" value="suggest" busy={t("Sending…")}>
            {t("Suggest link")}
          </SubmitButton>
        </Form>
      )}
    </section>
  );
}

function SuggestionRow({ suggestion, decides }: { suggestion: PendingSuggestion; decides: boolean }) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid gap-2 rounded-control bg-sunken p-3">
      <a href={suggestion.url} target="_blank" rel="noopener nofollow ugc" className="break-all">
        {suggestion.url}
        <span className="sr-only"> {t("in a new tab")}</span>
      </a>
      <p className="text-small text-quiet">
        {suggestion.mine ? (
          <Rich text="You suggested this <0></0>" parts={{ 0: <Time at={suggestion.at} /> }} />
        ) : (
          <Rich
            text="<1>{name}</1> suggested this <0></0>"
            values={{ name: suggestion.by?.name ?? t("Someone") }}
            parts={{ 0: <Time at={suggestion.at} />, 1: <bdi /> }}
          />
        )}
      </p>
      {decides && (
        <p className="flex flex-wrap gap-2">
          <input type="hidden" name="intent" value="answer-suggestion" />
          <input type="hidden" name="suggestionId" value={suggestion.id} />
          <Button type="submit" kind="primary" name="accept" value="yes">
            {t("Use this link")}
          </Button>
          <Button type="submit" name="accept" value="no">
            {t("Reject")}
          </Button>
        </p>
      )}
    </Form>
  );
}
