import type { WatchedWord } from "#community/prevention";
import { useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { ButtonLink, PersonLink, Tag, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWatchedWordActions } from "./watched-word-actions.ts";
import { WatchedWordInputs } from "./watched-word-inputs.tsx";
import { WatchedWordTrialResult } from "./watched-word-trial-result.tsx";
import type { TriedWord } from "./watched-words-page.tsx";

/** A watched word with its actions; `open`: its form is shown below. */
export function WatchedWordRow({ word, open }: { word: WatchedWord; open: boolean }) {
  const t = useTranslate();
  const actions = useWatchedWordActions();
  const tried = useFormResult<Partial<TriedWord>>()?.tried;
  const { id, phrase, action, replacement, explanation, changedAt, changedBy } = word;
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="min-w-0 font-semibold break-words">{phrase}</bdi>
            <Tag>{actions[action].label}</Tag>
            {replacement && <bdi className="min-w-0 break-words">{replacement}</bdi>}
          </p>
          {explanation && (
            <p dir="auto" className="break-words">
              {explanation}
            </p>
          )}
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-quiet">
            {changedBy && <PersonLink person={changedBy} size={20} />}
            <Time at={changedAt} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <ButtonLink
            to={open ? urls.watchedWords() : urls.watchedWords({ word: id })}
            preventScrollReset
            aria-expanded={open}
            aria-label={open ? undefined : t("Edit “{word}”", { word: phrase })}
          >
            {open ? t("Cancel") : t("Edit…")}
          </ButtonLink>
          <ActionForm
            intent="remove"
            fields={{ id }}
            kind="danger"
            busy={t("One moment…")}
            label={t("Remove “{word}”", { word: phrase })}
          >
            {t("Remove")}
          </ActionForm>
        </div>
      </div>
      {open && (
        <div className="mt-4">
          <WatchedWordInputs word={word} />
          {tried && <WatchedWordTrialResult tried={tried} />}
        </div>
      )}
    </li>
  );
}
