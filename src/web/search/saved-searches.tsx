import { Form } from "react-router";
import type { OwnSearches as Kept } from "#community/search";
import { CheckField, SubmitButton, TextField, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

type SavedSearchesProps = { q: string; kept: Kept; saved: boolean };

/** The saved and recent searches of the viewer, which are private. */
export function SavedSearches({ q, kept, saved }: SavedSearchesProps) {
  const t = useTranslate();
  const { me } = useRootData();
  if (!me) return null;
  return (
    <div className="mt-8 grid grid-cols-1 gap-6 border-t border-line pt-5">
      {q !== "" && !saved && <SaveSearchForm q={q} />}
      {kept.saved.length > 0 && (
        <section aria-label={t("Saved searches")}>
          <h2 className="mb-1 font-semibold">{t("Saved searches")}</h2>
          <ul>
            {kept.saved.map((savedSearch) => (
              <li
                key={savedSearch.id}
                className="flex items-center justify-between gap-3 border-b border-line py-1.5 last:border-b-0"
              >
                <Link
                  to={urls.search({ q: savedSearch.asked })}
                  dir="auto"
                  className="min-w-0 truncate"
                  title={savedSearch.asked}
                >
                  {savedSearch.name}
                </Link>
                <Form
                  method="post"
                  action={urls.search({ q })}
                  className="flex shrink-0 flex-wrap justify-end gap-2"
                >
                  <input type="hidden" name="id" value={savedSearch.id} />
                  <input type="hidden" name="tells" value={savedSearch.tells ? "no" : "yes"} />
                  <button
                    type="submit"
                    name="intent"
                    value="set-alert"
                    className="button"
                    data-kind="quiet"
                    aria-pressed={savedSearch.tells}
                    aria-label={t("Alerts: {name}", { name: savedSearch.name })}
                  >
                    {savedSearch.tells ? (
                      <i className="icon icon-bell-ring size-4" />
                    ) : (
                      <i className="icon icon-bell size-4" />
                    )}
                    {t("Alerts")}
                  </button>
                  <button
                    type="submit"
                    name="intent"
                    value="delete"
                    className="button"
                    data-kind="quiet"
                    aria-label={t("Delete “{name}”", { name: savedSearch.name })}
                  >
                    {t("Delete")}
                  </button>
                </Form>
              </li>
            ))}
          </ul>
        </section>
      )}
      {kept.recent.length > 0 && (
        <section aria-label={t("Recent searches")}>
          <h2 className="mb-1 font-semibold">{t("Recent searches")}</h2>
          <ul className="flex flex-wrap gap-2">
            {kept.recent.map((it) => (
              <li key={it} className="max-w-full">
                <Link to={urls.search({ q: it })} dir="auto" className="tag max-w-full truncate">
                  {it}
                </Link>
              </li>
            ))}
          </ul>
          <Form method="post" action={urls.search({ q })} className="mt-2">
            <button type="submit" name="intent" value="clear-recent" className="button" data-kind="quiet">
              {t("Clear")}
            </button>
          </Form>
        </section>
      )}
    </div>
  );
}

function SaveSearchForm({ q }: { q: string }) {
  const t = useTranslate();
  return (
    <details>
      <summary className="cursor-pointer">{t("Save search")}</summary>
      <Form method="post" action={urls.search({ q })} className="mt-2 flex flex-wrap items-end gap-3">
        <input type="hidden" name="asked" value={q} />
        <TextField name="name" label={t("Name")} defaultValue={q.slice(0, 60)} maxLength={60} required />
        <CheckField name="tells" value="yes" label={t("Notify me of new results, at most once a day")} />
        <SubmitButton name="intent" value="save" busy={t("Saving…")}>
          {t("Save")}
        </SubmitButton>
      </Form>
    </details>
  );
}
