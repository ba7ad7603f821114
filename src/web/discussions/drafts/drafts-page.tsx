import {
  restoreDraft,
  type DraftRow,
  listDrafts,
  discardDraft,
  listDiscardedDrafts,
  PendingPostId,
  type PendingPostTarget,
  type OwnPendingPost,
  listOwnPendingPosts,
  withdrawPendingPost,
} from "#community/discussions";
import { msg } from "#platform/messages";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { redirectFromEmptyPage } from "../../list-pagination.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { LIMITS } from "#community/rules";
import {
  EmptyState,
  NextPageLink,
  PageHeader,
  pageMeta,
  RefusalNotice,
  Time,
  useRootData,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { redirectWithNotice } from "../../notices/notice.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/drafts-page";
import { Link } from "../../ui/navigation/link.tsx";
import { ReadOnlyText } from "../replies/read-only-text.tsx";
import { PendingPostText } from "../replies/own-pending-posts.tsx";
import { OwnPendingResource } from "../../resources/own-pending-resource.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, url }) => {
  const after = readQueryParam(url, "after", 300) || undefined;
  const [page, pendingPosts, dropped] = await Promise.all([
    listDrafts(db, viewer, { after }),
    after ? [] : listOwnPendingPosts(db, viewer),
    listDiscardedDrafts(db, viewer, ctx.now),
  ]);
  // If the last draft of this page was sent or deleted, the first page is opened.
  redirectFromEmptyPage(url, page.rows);
  return { drafts: page.rows, next: page.next, pendingPosts, dropped };
});

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  const target = String(form.get("place")).slice(0, 100);
  await app.database.inTransaction((tx) => {
    if (form.get("intent") === "withdraw")
      return withdrawPendingPost(tx, viewer, parseForm(PendingPostId, form));
    return form.get("intent") === "restore"
      ? restoreDraft(tx, viewer, target)
      : discardDraft(tx, viewer, target);
  });
  const discards = !["withdraw", "restore"].includes(String(form.get("intent")));
  return redirectWithNotice(ctx, {
    to: url.pathname + url.search,
    notice: discards
      ? { message: msg("Draft deleted."), undo: { command: "restore-draft", fields: { place: target } } }
      : undefined,
  });
});

export const meta = pageMeta((_data, t) => ({ title: t("Drafts"), hidden: true }));

export default function DraftsPage({
  loaderData: { drafts, next, pendingPosts, dropped },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Drafts")}
        lead={t("Unsent texts. Only you see them. They are kept for {count} days after the last change.", {
          count: LIMITS.draftDays,
        })}
      />
      <RefusalNotice />
      <DiscardedDrafts dropped={dropped} />
      <PendingPosts pendingPosts={pendingPosts} />
      {drafts.length === 0 && <EmptyState title={t("No drafts.")} />}
      <ul>
        {drafts.map((draft) => (
          <li key={draft.place} className="border-b border-line py-3.5 last:border-b-0" data-item>
            <DraftListItem draft={draft} />
          </li>
        ))}
      </ul>
      <NextPageLink to={next && urls.drafts({ after: next })} />
    </>
  );
}

/** Recently discarded drafts, which can be restored. */
function DiscardedDrafts({ dropped }: { dropped: DraftRow[] }) {
  const t = useTranslate();
  if (dropped.length === 0) return null;
  return (
    <section aria-labelledby="dropped-title" className="panel mb-6 p-4">
      <h2 id="dropped-title" className="font-semibold">
        {t("Deleted within the last hour")}
      </h2>
      <ul>
        {dropped.map((draft) => (
          <li key={draft.place} className="border-b border-line py-2 last:border-b-0">
            <DiscardedDraftRow draft={draft} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DiscardedDraftRow({ draft }: { draft: DraftRow }) {
  const t = useTranslate();
  const { name } = useDraftTarget(draft);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 break-words">
        <bdi>{name}</bdi>
        <span dir="auto" className="line-clamp-1 block text-small text-quiet">
          {[draft.title, draft.body].filter(Boolean).join(" · ")}
        </span>
      </p>
      <ActionForm
        intent="restore"
        fields={{ place: draft.place }}
        busy={t("Restoring…")}
        label={t("Restore: {name}", { name })}
      >
        {t("Restore")}
      </ActionForm>
    </div>
  );
}

/** Posts that wait for approval, or were returned to their author. */
function PendingPosts({ pendingPosts }: { pendingPosts: OwnPendingPost[] }) {
  const t = useTranslate();
  if (pendingPosts.length === 0) return null;
  return (
    <section id="waiting" aria-labelledby="waiting-title" className="mb-6 scroll-mt-16">
      <h2 id="waiting-title" className="mb-2 text-large font-semibold">
        {t("Awaiting approval")}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {pendingPosts.map((pendingPost) => (
          <li key={pendingPost.id}>
            <PendingPostTargetName it={pendingPost} />
            <OwnPendingResource it={pendingPost} />
            {pendingPost.profile && <OwnProfileTexts texts={pendingPost.profile} />}
            <PendingPostText it={pendingPost} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The viewer's own pending profile texts, except for the bio. It shares no component with the list of moderators:
 * the bundler would move that list into a file that discussions load.
 */
function OwnProfileTexts({ texts }: { texts: NonNullable<OwnPendingPost["profile"]> }) {
  const { pronouns, location, fields = [], bio: _, ...answers } = texts;
  const lines = [
    pronouns,
    location,
    ...fields.map(({ label, value }) => `${label}: ${value}`),
    ...Object.values(answers).map(({ label, said }) => `${label}: ${said.join(", ")}`),
  ].filter(Boolean);
  return lines.map((line) => (
    <p key={line} dir="auto" className="break-words">
      {line}
    </p>
  ));
}

/** Name of the place where the post will appear, linked if its author can still open it. */
function PendingPostTargetName({ it: { title, place } }: { it: OwnPendingPost }) {
  const t = useTranslate();
  const { me } = useRootData();
  if (place?.kind === "profile")
    return <TargetHeading as="h3" to={urls.settings(me?.id ?? "", "profile")} name={t("Your profile")} />;
  const name = title ?? (place?.title || t("No longer accessible"));
  return <TargetHeading as="h3" to={place && TARGET_URLS[place.kind](place)} name={name} />;
}
const TARGET_URLS: Record<
  Exclude<PendingPostTarget["kind"], "profile">,
  (target: PendingPostTarget) => string
> = {
  group: ({ slug }) => urls.newDiscussion(slug!),
  discussion: ({ id }) => `${urls.discussion(id)}#reply`,
  resource: ({ id }) => `${urls.resource(id)}#reply`,
  library: ({ id }) => urls.newResource({ group: id }),
};

/** The draft target, linked for people who may open it. */
const TargetHeading = ({ as: Heading, to, name }: { as: "h2" | "h3"; to: string | null; name: string }) => (
  <Heading className="font-serif text-read leading-6 font-medium">
    {to ? (
      <Link to={to} dir="auto" className="break-words text-ink">
        {name}
      </Link>
    ) : (
      <span dir="auto" className="break-words">
        {name}
      </span>
    )}
  </Heading>
);

function DraftListItem({ draft }: { draft: DraftRow }) {
  const t = useTranslate();
  const { to, name } = useDraftTarget(draft);
  return (
    <>
      <TargetHeading as="h2" to={to} name={name} />
      <p dir="auto" className="mt-0.5 line-clamp-3 break-words text-quiet">
        {[draft.title, draft.body].filter(Boolean).join(" · ")}
      </p>
      {draft.whole && (
        <details className="mt-1">
          <summary className="w-fit text-small text-accent">{t("Full text")}</summary>
          <ReadOnlyText
            id={`whole-${draft.place}`}
            label={t("Full text: {name}", { name })}
            text={draft.whole}
            hidden
          />
        </details>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-x-3 text-small text-quiet">
        <Time at={draft.savedAt} />
        <ActionForm
          intent="discard"
          kind="quiet"
          fields={{ place: draft.place }}
          busy={t("Deleting…")}
          label={t("Delete draft: {name}", { name })}
        >
          {t("Delete")}
        </ActionForm>
      </div>
    </>
  );
}

/**
 * Name and address of the page on which a draft can be finished. Writers keep the text even if they have
 * lost access to that page.
 */
function useDraftTarget({ place, discussion, group, resource }: DraftRow): {
  to: string | null;
  name: string;
} {
  const t = useTranslate();
  const [kind = "", id = ""] = place.split(":");
  if (discussion) return { to: `${urls.discussion(discussion.id)}#reply`, name: discussion.title };
  if (group)
    return {
      to: urls.newDiscussion(group.slug),
      name: t("New discussion in {group}", { group: group.name }),
    };
  if (kind === "conversation") return { to: urls.conversation(id), name: t("Message") };
  if (kind === "post") return { to: urls.post(id, { do: "edit" }), name: t("Edit of a post") };
  if (resource && kind === "resource")
    return { to: urls.resource(id), name: t("Comment on “{title}”", { title: resource.title }) };
  if (resource) return { to: urls.editResource(id), name: resource.title };
  if (place === "new:resource")
    return { to: urls.newResource({ kind: "document" }), name: t("New document") };
  if (place === "new:conversation") return { to: urls.messages({ draft: "1" }), name: t("New message") };
  if (place === "new:group") return { to: urls.newGroup(), name: t("New group") };
  return { to: null, name: t("No longer accessible") };
}
