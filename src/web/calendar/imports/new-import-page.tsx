import { Form, redirect } from "react-router";
import { NewEventImport, prepareImport, toFileName } from "#community/calendar";
import { calendarRules, SERVER_LIMITS } from "#community/rules";
import { invalid, Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { Field, FormErrors, PageHeader, pageMeta, SubmitButton } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, type RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-import-page";
import { loadCalendarGroup } from "./calendar-group.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const { groupId } = params;
  const group = await loadCalendarGroup(db, viewer, { groupId, now: ctx.now, path: urls.eventImport });
  if (!calendarRules.create(viewer, group))
    throw new Refusal("not-allowed", "You cannot create events in this group.");
  return {
    group: { id: group.id, slug: group.slug, name: group.name },
    timeZone: ctx.timeZone,
    most: { bytes: SERVER_LIMITS.eventImports.bytes, events: SERVER_LIMITS.eventImports.events },
  };
});

export const action = defineAction(async ({ ctx, app, viewer, form, params }) => {
  const file = form.get("file");
  form.set("timeZone", ctx.timeZone);
  const input = parseForm(NewEventImport, form);
  if (!(file instanceof File) || file.size === 0) throw invalid("file", "Choose a file.");
  if (file.size > SERVER_LIMITS.eventImports.bytes) throw invalid("file", "The file is larger than 5 MB.");
  const text = decode(await file.arrayBuffer());
  const { id } = await app.database.inTransaction((tx) =>
    prepareImport(tx, viewer, { ...input, text, fileName: toFileName(file.name) }),
  );
  return redirect(urls.eventImportPreview(params["groupId"]!, id));
});

/** Old programs write calendars in the encoding of Windows. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const isLarger = ({ files }: HTMLInputElement, bytes: number) => (files?.[0]?.size ?? 0) > bytes;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ group }, t) => ({
  title: `${t("Import events")} · ${group.name}`,
  hidden: true,
}));

export default function NewImportPage({ loaderData: { group, timeZone, most } }: Route.ComponentProps) {
  const t = useTranslate();
  const result = useFormResult<RejectedForm | undefined>();
  const tooLarge = t("The file is larger than 5 MB.");
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
      <p className="mb-5">
        {t(
          "Upload a calendar file from another program. You see what will be imported before anything changes.",
        )}
      </p>
      <Form method="post" encType="multipart/form-data" className="grid grid-cols-1 gap-5">
        <FormErrors />
        <input type="hidden" name="groupId" value={group.id} />
        <Field
          name="file"
          label={t("Calendar file")}
          hint={t("A file that ends in .ics, at most 5 MB and {count, number} events.", {
            count: most.events,
          })}
          fault={result?.refused?.fields["file"]}
        >
          {(tie) => (
            <input
              {...tie}
              type="file"
              accept=".ics,text/calendar"
              required
              className="input"
              onChange={({ currentTarget: input }) =>
                input.setCustomValidity(isLarger(input, most.bytes) ? tooLarge : "")
              }
            />
          )}
        </Field>
        <p className="hint">
          {t("Times for which no time zone is given are times in {zone}.", {
            zone: timeZone.replaceAll("_", " "),
          })}
        </p>
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Uploading…")}>{t("Show preview")}</SubmitButton>
        </p>
      </Form>
    </>
  );
}
