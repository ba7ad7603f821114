import { redirect } from "react-router";
import { type DraftLine, draftsOf, dropDraft } from "#community/discussions";
import { membersOnly } from "../auth.ts";
import { Act } from "../people/act.tsx";
import { LIMITS } from "#community/rules";
import { Empty, PageHead, pageMeta, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/drafts";
import { Link } from "../ui/link.tsx";
import { KeptText } from "./kept-text.tsx";

export const middleware = [membersOnly];

export const loader = reading(({ db, viewer }) => draftsOf(db, viewer));

export const action = acting(async ({ house, viewer, form }) => {
  await house.database.inTransaction((tx) => dropDraft(tx, viewer, String(form.get("place")).slice(0, 100)));
  return redirect(urls.drafts());
});

export const meta = pageMeta((_data, t) => ({ title: t("Drafts"), hidden: true }));

/** What somebody began to write, wherever that was. */
export default function DraftsPage({ loaderData: drafts }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Drafts")}
        lead={t("What you began and have not sent. Only you see it. It is kept for {count} days after you last changed it.", {
          count: LIMITS.draftDays,
        })}
      />
      {drafts.length === 0 && <Empty title={t("Nothing is waiting to be finished.")} />}
      <ul>
        {drafts.map((draft) => (
          <li key={draft.place} className="border-b border-line py-3.5 last:border-b-0" data-item>
            <Line draft={draft} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ draft }: { draft: DraftLine }) {
  const t = useWords();
  const { to, name } = useWhere(draft);
  return (
    <>
      <h2 className="font-serif text-read leading-6 font-medium">
        {to ? (
          <Link to={to} dir="auto" className="break-words text-ink">
            {name}
          </Link>
        ) : (
          name
        )}
      </h2>
      <p dir="auto" className="mt-0.5 line-clamp-3 break-words text-quiet">
        {[draft.title, draft.body].filter(Boolean).join(" · ")}
      </p>
      {draft.whole && (
        <details className="mt-1">
          <summary className="w-fit text-small text-accent">{t("The whole text")}</summary>
          <KeptText id={`whole-${draft.place}`} label={t("The whole text: {name}", { name })} text={draft.whole} hidden />
        </details>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-x-3 text-small text-quiet">
        <Time at={draft.savedAt} />
        <Act
          intent="drop"
          kind="quiet"
          fields={{ place: draft.place }}
          busy={t("Deleting…")}
          label={t("Delete the draft: {name}", { name })}
        >
          {t("Delete")}
        </Act>
      </div>
    </>
  );
}

/** Where it is finished. What it was for may be out of reach by now; the words are still one's own. */
function useWhere({ place, discussion, group, resource }: DraftLine): { to: string | null; name: string } {
  const t = useWords();
  const [kind = "", id = ""] = place.split(":");
  if (discussion) return { to: `${urls.discussion(discussion.id)}#reply`, name: discussion.title };
  if (group) return { to: urls.newDiscussion(group.slug), name: t("New discussion in {group}", { group: group.name }) };
  if (kind === "conversation") return { to: urls.conversation(id), name: t("A message") };
  if (kind === "post") return { to: urls.post(id, { do: "edit" }), name: t("A change of a post") };
  if (resource && kind === "resource") return { to: urls.resource(id), name: t("A comment on “{title}”", { title: resource.title }) };
  if (resource) return { to: urls.editResource(id), name: resource.title };
  if (place === "new:resource") return { to: urls.newResource({ kind: "document" }), name: t("A new document") };
  if (place === "new:conversation") return { to: urls.messages({ draft: "1" }), name: t("New message") };
  if (place === "new:group") return { to: urls.newGroup(), name: t("A new group") };
  return { to: null, name: t("A place that is no longer open to you") };
}
