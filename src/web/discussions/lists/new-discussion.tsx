import { Suspense, useEffect, useState } from "react";
import { data, Form, redirect } from "react-router";
import {
  cannotStartRefusal,
  getDraft,
  NewDiscussion,
  draftTargets,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import { getGroup } from "#community/groups";
import { groupRules, LIMITS } from "#community/rules";
import { uuidv7 } from "#platform/ids";
import { lazyComponent } from "../../client/lazy-component.ts";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { FormErrors, PageHeader, pageMeta, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-discussion";
import { TextPreview, PreviewButton } from "../../composer/text-preview.tsx";
import { attachPicture } from "../../composer/form-attachments.ts";
import { previewPost } from "../../composer/preview-data.ts";
import { PictureField } from "../../composer/picture-field.tsx";
import { DraftSaver } from "../drafts/draft-saver.tsx";
import { setPollClosingTime } from "../polls/poll-closing-date.ts";
import { PollFields } from "../polls/poll-fields.tsx";
import { Link } from "../../ui/navigation/link.tsx";

const SimilarList = lazyComponent(() => import("./similar-discussions.tsx"));

export const middleware = [requireMember];

export const loader = defineLoader(async ({ viewer, db, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  if (group.slug !== params["groupId"]) throw redirect(urls.newDiscussion(group.slug), 301);
  if (!groupRules.start(viewer, group)) throw cannotStartRefusal(viewer, group);
  const { id, slug, name, visibility, membersCount } = group;
  return {
    group: { id, slug, name, visibility, membersCount },
    place: draftTargets.group(id),
    draft: await getDraft(db, viewer, draftTargets.group(id)),
    clientId: uuidv7(),
  };
});

export const action = defineAction(async ({ ctx, app, db, viewer, form }) => {
  const there = draftTargets.group(String(form.get("groupId")));
  await attachPicture(app, viewer, there, form);
  const preview = await previewPost(db, viewer, there, form);
  if (preview) return data(preview);
  setPollClosingTime(form, ctx.timeZone);
  const it = await app.database.inTransaction((tx) =>
    startDiscussionOrAwaitApproval(tx, viewer, parseForm(NewDiscussion, form)),
  );
  return redirect(
    "waits" in it ? `${urls.drafts()}#waiting` : urls.discussion(it.id, { plain: it.plain.join(" ") }),
  );
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ group }, t) => ({
  title: t("New discussion in {group}", { group: group.name }),
  hidden: true,
}));

export default function NewDiscussionPage({
  loaderData: { group, place, draft, clientId },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  const [title, setTitle] = useState("");
  // The title may have been typed before hydration, or be from a draft, so it is read from the field.
  useEffect(() => setTitle(document.querySelector<HTMLInputElement>("input[name=title]")?.value ?? ""), []);
  return (
    <>
      <PageHeader
        title={t("New discussion")}
        lead={
          <Link to={urls.group(group.slug)} dir="auto">
            {group.name}
          </Link>
        }
      />
      <Form method="post" encType="multipart/form-data" className="grid grid-cols-1 gap-4">
        <FormErrors />
        <input type="hidden" name="groupId" value={group.id} />
        <input type="hidden" name="clientId" value={clientId} />
        <TextField
          name="title"
          label={t("Title")}
          hint={t("What it is about, in a few words: a question, a plan, a story.")}
          defaultValue={draft?.title}
          required
          minLength={LIMITS.title.min}
          maxLength={LIMITS.title.max}
          dir="auto"
          autoComplete="off"
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        {title.trim().length >= LIMITS.title.min && (
          <Suspense>
            <SimilarList title={title} />
          </Suspense>
        )}
        <TextArea
          name="body"
          place={place}
          label={t("Text")}
          hint={t("**bold**, *italic*, > quote, - list. Addresses become links.")}
          defaultValue={draft?.body}
          required
          most={LIMITS.post}
          rows={10}
          dir="auto"
        />
        <PictureField />
        <PollFields draft={draft?.more} />
        <TextField
          name="tags"
          label={t("Tags (optional)")}
          hint={t("Up to five, separated by commas.")}
          maxLength={120}
          defaultValue={draft?.more.tags}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="hint">{audience(group)}</p>
            <DraftSaver target={place} draft={draft} />
          </div>
          <div className="flex flex-row-reverse flex-wrap items-center justify-end gap-2">
            <SubmitButton busy={t("Starting…")}>{t("Start discussion")}</SubmitButton>
            <PreviewButton />
          </div>
        </div>
        <TextPreview />
      </Form>
    </>
  );
}
