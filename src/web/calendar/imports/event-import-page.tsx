import { Form, redirect } from "react-router";
import { EventImportRef, getEventImport, runEventImport, undoEventImport } from "#community/calendar";
import { notFound } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { chooseAction, parseForm } from "../../form-parsing.ts";
import { ButtonLink, FormErrors, Notice, PageHeader, pageMeta, SubmitButton } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/event-import-page";
import { loadCalendarGroup } from "./calendar-group.ts";
import { groupByEvent, ImportedEvents } from "./imported-events.tsx";
import { SkippedEvents } from "./skipped-events.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const { groupId, importId = "" } = params;
  const group = await loadCalendarGroup(db, viewer, {
    groupId,
    now: ctx.now,
    path: (slug) => urls.eventImportPreview(slug, importId),
  });
  const { plan, personId: _, ...it } = await getEventImport(db, viewer, importId, ctx.now);
  if (it.groupId !== group.id) throw notFound();
  return {
    group: { slug: group.slug, name: group.name },
    it,
    preview: plan && {
      created: groupByEvent(plan.created),
      updated: groupByEvent(plan.updated.map(({ entry }) => entry)),
      removed: plan.cancelled.length + plan.removed.length,
      unchanged: plan.unchanged,
    },
  };
});

const COMMANDS = { import: runEventImport, undo: undoEventImport };

export const action = defineAction(async ({ app, viewer, form, params }) => {
  const command = chooseAction<(typeof COMMANDS)[keyof typeof COMMANDS]>(COMMANDS, form);
  form.set("importId", params["importId"] ?? "");
  const { importId } = parseForm(EventImportRef, form);
  await app.database.inTransaction(async (tx) => void (await command(tx, viewer, importId)));
  return redirect(urls.eventImportPreview(params["groupId"]!, importId));
});

type Data = Route.ComponentProps["loaderData"];

export const meta = pageMeta<Data>(({ group }, t) => ({
  title: `${t("Import events")} · ${group.name}`,
  hidden: true,
}));

export default function EventImportPage({ loaderData: { group, it, preview } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Import events")}
        lead={
          <Link to={urls.groupEvents(group.slug)} dir="auto">
            {group.name}
          </Link>
        }
      />
      <div className="mb-5 empty:hidden">
        <FormErrors />
      </div>
      {it.fileName && (
        <p className="mb-4 break-words text-quiet">
          <bdi>{it.fileName}</bdi>
        </p>
      )}
      {preview ? <Preview preview={preview} slug={group.slug} /> : <Outcome it={it} slug={group.slug} />}
      {it.skipped.length > 0 && (
        <section aria-labelledby="skipped" className="mt-8">
          <h2 id="skipped" className="mb-2 text-large font-semibold">
            {t("Left out")}
          </h2>
          <SkippedEvents skipped={it.skipped} />
        </section>
      )}
    </>
  );
}

function Preview({ preview, slug }: { preview: NonNullable<Data["preview"]>; slug: string }) {
  const t = useTranslate();
  const { created, updated, removed, unchanged } = preview;
  const hasChanges = created.count + updated.count + removed > 0;
  return (
    <>
      {!hasChanges && <Notice>{t("There is nothing to import from this file.")}</Notice>}
      <ImportedEvents title={t("New events")} events={created} />
      <ImportedEvents title={t("Changed events")} events={updated} />
      {removed > 0 && (
        <p className="mb-3">
          {t(
            "{count, plural, one {# event is no longer in the file and is removed.} " +
              "other {# events are no longer in the file and are removed.}}",
            { count: removed },
          )}
        </p>
      )}
      {unchanged > 0 && (
        <p className="mb-3 text-quiet">
          {t("{count, plural, one {# event is} other {# events are}} already up to date.", {
            count: unchanged,
          })}
        </p>
      )}
      <Form method="post" className="mt-5">
        {hasChanges && (
          <p className="hint mb-3">
            {t(
              "You become the host. Members are not notified of new events, only of changes to events they answered.",
            )}
          </p>
        )}
        <p className="flex flex-wrap gap-2">
          {hasChanges && (
            <SubmitButton name="intent" value="import" busy={t("Importing…")}>
              {t("Import")}
            </SubmitButton>
          )}
          <ButtonLink to={urls.eventImport(slug)}>{t("Choose another file")}</ButtonLink>
        </p>
      </Form>
    </>
  );
}

function Outcome({ it, slug }: { it: Data["it"]; slug: string }) {
  const t = useTranslate();
  const { created = 0, updated = 0, removed = 0 } = it.counts;
  return (
    <>
      <Notice tone={it.undoneAt ? undefined : "good"}>
        <p className="font-semibold">
          {it.undoneAt ? t("This import was undone.") : t("The events are imported.")}
        </p>
        <p className="figures">
          {t("{created, number} new, {updated, number} changed, {removed, number} removed", {
            created,
            updated,
            removed,
          })}
        </p>
      </Notice>
      <Form method="post" className="mt-5">
        {!it.undoneAt && created > 0 && (
          <p className="hint mb-3">
            {t("Undo deletes the new events. Events that someone answered are cancelled instead.")}
          </p>
        )}
        <p className="flex flex-wrap gap-2">
          <ButtonLink to={urls.groupEvents(slug)}>{t("Show events")}</ButtonLink>
          {!it.undoneAt && created > 0 && (
            <SubmitButton kind="danger" name="intent" value="undo" busy={t("Undoing…")}>
              {t("Undo import")}
            </SubmitButton>
          )}
        </p>
      </Form>
    </>
  );
}
