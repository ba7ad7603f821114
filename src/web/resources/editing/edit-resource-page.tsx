import { Form, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { getDraft, draftTargets } from "#community/discussions";
import { editResource, moveResource, ResourceChange, getResource, ResourceMove } from "#community/resources";
import { resourceRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { DraftSaver } from "../../discussions/drafts/draft-saver.tsx";
import { parseForm } from "../../form-parsing.ts";
import { ButtonLink, pageMeta, SelectField, SubmitButton } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, type RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/edit-resource-page";
import { EditPageHead, VersionNote, ChangeReasonField } from "./edit-page-parts.tsx";
import { MoveResource } from "./move-resource.tsx";
import { findMoveTargets } from "./move-targets.ts";
import { ResourceFields } from "./resource-fields.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, params, url }) => {
  const found = await getResource(db, viewer, params["resourceId"] ?? "");
  const { bodyHtml: _, ...resource } = found;
  const own = resourceRules.edit(viewer, resource) || resourceRules.mend(viewer, resource);
  const canEdit = own || resourceRules.amend(viewer, resource);
  const move = await findMoveTargets(db, viewer, found, url);
  if (!canEdit && !move) throw new Refusal("not-allowed", "You cannot edit this.");
  const where = draftTargets.document(resource.id);
  const draft = resource.kind === "document" ? await getDraft(db, viewer, where) : null;
  return {
    resource,
    place: where,
    draft,
    needsReason: !own,
    canEdit,
    move,
    own: resource.ownerId !== null && resource.ownerId === viewer.id,
    canOpen: resourceRules.open(viewer, resource),
    /** Whether another person has changed the text since the draft was saved. */
    overtaken:
      draft !== null &&
      resource.updatedAt !== null &&
      resource.updatedAt > draft.savedAt &&
      draft.body !== resource.bodyMd,
  };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("resourceId", params["resourceId"] ?? "");
  if (form.get("intent") === "move") {
    const move = parseForm(ResourceMove, form);
    await app.database.inTransaction((tx) => moveResource(tx, viewer, move));
    return redirect(urls.resource(move.resourceId));
  }
  const fields = parseForm(ResourceChange, form);
  await app.database.inTransaction((tx) => editResource(tx, viewer, fields));
  return redirect(urls.resource(fields.resourceId));
});

/** After a conflict the page loads the other person's changes. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ resource }, t) => ({
  title: t("Edit “{title}”", { title: resource.title }),
  hidden: true,
}));

export default function EditResource({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  const { resource } = page;
  return (
    <>
      <EditPageHead title={t("Edit resource")} resource={resource} />
      {page.canEdit && <EditForm page={page} />}
      {page.move && <MoveResource resource={resource} move={page.move} own={page.own} />}
    </>
  );
}

/** Form for the details and the text of the resource. */
function EditForm({ page }: { page: Route.ComponentProps["loaderData"] }) {
  const t = useTranslate();
  const { resource, draft, canOpen, needsReason } = page;
  const answer = useFormResult<RejectedForm | null>();
  const conflict = answer?.refused?.reason === "conflict" && answer.typed["intent"] !== "move";
  const both = conflict || (page.overtaken && !answer);
  return (
    <>
      {both && <CurrentVersion resource={resource} afterDraft={page.overtaken && !answer} />}
      <Form key={resource.id} method="post" className="grid gap-5">
        <input type="hidden" name="changes" value={resource.changes} />
        <ResourceFields
          kind={resource.kind}
          values={{
            url: resource.url ?? "",
            title: draft?.title || resource.title,
            body: draft?.body || resource.bodyMd,
            why: resource.why,
            tags: resource.tags.join(", "),
            language: resource.language,
            licence: resource.licence,
          }}
        >
          {canOpen && <EditorsField now={resource.editsBy} />}
        </ResourceFields>
        {resource.kind === "document" && (
          <>
            <VersionNote />
            <DraftSaver target={page.place} draft={draft} />
          </>
        )}
        {needsReason && <ChangeReasonField />}
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
          <ButtonLink to={urls.resource(resource.id)}>{t("Cancel")}</ButtonLink>
        </p>
      </Form>
    </>
  );
}

type EditedResource = Route.ComponentProps["loaderData"]["resource"];

function EditorsField({ now }: { now: EditedResource["editsBy"] }) {
  const t = useTranslate();
  return (
    <SelectField name="editsBy" label={t("Who can edit")} defaultValue={now}>
      <option value="owner">{t("The owner and moderators")}</option>
      <option value="members">{t("Everyone who can post where it is stored")}</option>
    </SelectField>
  );
}

/**
 * The version that another person has saved meanwhile, to read and copy. The viewer's own text is in the
 * form below.
 */
function CurrentVersion({ resource, afterDraft }: { resource: EditedResource; afterDraft: boolean }) {
  const t = useTranslate();
  return (
    <div className="notice mb-5" data-tone="pending">
      <div className="field flex-1">
        <p>
          {afterDraft
            ? t("Someone else changed this resource. Your text is below; the current text is:")
            : t("Your text is below; the current text is:")}
        </p>
        <label htmlFor="text-now">{t("Current text")}</label>
        <textarea
          id="text-now"
          readOnly
          rows={resource.kind === "document" ? 10 : 4}
          dir="auto"
          value={[resource.title, resource.url, resource.why, resource.tags.join(", "), resource.bodyMd]
            .filter(Boolean)
            .join("\n\n")}
          className="input"
        />
      </div>
    </div>
  );
}
