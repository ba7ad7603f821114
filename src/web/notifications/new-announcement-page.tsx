import { Form, redirect } from "react-router";
import { createAnnouncement, assertCanAnnounce, NewAnnouncement } from "#community/notifications";
import { LIMITS } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import { FormErrors, PageHeader, pageMeta, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/new-announcement-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const group = await assertCanAnnounce(db, viewer, readQueryParam(url, "group") || undefined);
  return { group: group && { id: group.id, name: group.name, membersCount: group.membersCount } };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const { id } = await app.database.inTransaction((tx) =>
    createAnnouncement(tx, viewer, parseForm(NewAnnouncement, form)),
  );
  return redirect(urls.announcement(id));
});

export const meta = pageMeta((_data, t) => ({ title: t("New announcement"), hidden: true }));

/** Form of a new announcement. */
export default function NewAnnouncementPage({ loaderData: { group } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={group ? t("Announcement to {group}", { group: group.name }) : t("Announcement to everyone")}
        lead={t("Everyone is notified. You can send one a day.")}
      />
      <Form method="post" className="grid gap-5">
        <FormErrors />
        {group && <input type="hidden" name="groupId" value={group.id} />}
        <TextField
          name="title"
          label={t("Title")}
          required
          minLength={LIMITS.announcement.title.min}
          maxLength={LIMITS.announcement.title.max}
          dir="auto"
          autoComplete="off"
        />
        <TextArea
          name="body"
          markdown
          label={t("Text")}
          hint={t("Markdown works.")}
          required
          maxLength={LIMITS.announcement.body}
          dir="auto"
        />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton busy={t("One moment…")}>{t("Publish")}</SubmitButton>
          <p className="text-small text-quiet">
            {group
              ? t("Visible to {n, plural, one {the only member} other {the # members}} of {group}.", {
                  n: group.membersCount,
                  group: group.name,
                })
              : t("Visible to everyone who is signed in.")}
          </p>
        </div>
      </Form>
    </>
  );
}
