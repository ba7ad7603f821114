import { Suspense, useEffect, useState } from "react";
import { data, Form, redirect } from "react-router";
import { cannotStart, draftFor, NewDiscussion, place, startOrWait } from "#community/discussions";
import { groupFor } from "#community/groups";
import { groupRules, LIMITS } from "#community/rules";
import { uuidv7 } from "#platform/ids";
import { lazyPart } from "../client/lazy-part.ts";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { useGroupWords } from "../groups/words.ts";
import { FormFaults, PageHead, pageMeta, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/new-discussion";
import { Preview, PreviewButton } from "../writing/preview.tsx";
import { takePicture } from "../writing/taking-picture.ts";
import { previewed } from "../writing/previewing.ts";
import { PictureField } from "../writing/picture-field.tsx";
import { DraftKeeper } from "./draft-keeper.tsx";
import { closesAtEndOfDay } from "./poll-day.ts";
import { PollFields } from "./poll-fields.tsx";
import { Link } from "../ui/link.tsx";

const SimilarList = lazyPart(() => import("./similar-list.tsx"));

export const middleware = [membersOnly];

export const loader = reading(async ({ viewer, db, params }) => {
  const group = await groupFor(db, viewer, params["groupId"]!.toLowerCase());
  if (group.slug !== params["groupId"]) throw redirect(urls.newDiscussion(group.slug), 301);
  if (!groupRules.start(viewer, group)) throw cannotStart(viewer, group);
  const { id, slug, name, visibility, membersCount } = group;
  return {
    group: { id, slug, name, visibility, membersCount },
    place: place.group(id),
    draft: await draftFor(db, viewer, place.group(id)),
    clientId: uuidv7(),
  };
});

export const action = acting(async ({ visit, house, db, viewer, form }) => {
  const there = place.group(String(form.get("groupId")));
  await takePicture(house, viewer, there, form);
  const preview = await previewed(db, viewer, there, form);
  if (preview) return data(preview);
  closesAtEndOfDay(form, visit.timeZone);
  const it = await house.database.inTransaction((tx) => startOrWait(tx, viewer, parseForm(NewDiscussion, form)));
  return redirect("waits" in it ? `${urls.drafts()}#waiting` : urls.discussion(it.id, { plain: it.plain.join(" ") }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ group }, t) => ({
  title: t("New discussion in {group}", { group: group.name }),
  hidden: true,
}));

export default function NewDiscussionPage({ loaderData: { group, place, draft, clientId } }: Route.ComponentProps) {
  const t = useWords();
  const { audience } = useGroupWords();
  const [title, setTitle] = useState("");
  // The title may have been typed before hydration, or come from a draft.
  useEffect(() => setTitle(document.querySelector<HTMLInputElement>("input[name=title]")?.value ?? ""), []);
  return (
    <>
      <PageHead
        title={t("New discussion")}
        lead={
          <Link to={urls.group(group.slug)} dir="auto">
            {group.name}
          </Link>
        }
      />
      <Form method="post" encType="multipart/form-data" className="grid grid-cols-1 gap-4">
        <FormFaults />
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
          hint={t("Up to five, with commas between them.")}
          maxLength={120}
          defaultValue={draft?.more.tags}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="hint">{audience(group)}</p>
            <DraftKeeper place={place} draft={draft} />
          </div>
          <div className="flex flex-row-reverse flex-wrap items-center justify-end gap-2">
            <SubmitButton busy={t("Starting…")}>{t("Start the discussion")}</SubmitButton>
            <PreviewButton />
          </div>
        </div>
        <Preview />
      </Form>
    </>
  );
}
