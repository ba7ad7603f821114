import { Form, redirect } from "react-router";
import { assertCanCreateGroup, createGroup, NewGroup } from "#community/groups";
import { LIMITS } from "#community/rules";
import { uuidv7 } from "#platform/ids";
import { requireMember } from "../auth-middleware.ts";
import { parseForm } from "../form-parsing.ts";
import { FormErrors, PageHeader, pageMeta, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/new-group";
import { AccessFields } from "./access-fields.tsx";
import { BackgroundField } from "./background-field.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, viewer }) => {
  assertCanCreateGroup(viewer, await app.settings.get());
  return { clientId: uuidv7() };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const site = await app.settings.get();
  const { slug } = await app.database.inTransaction((tx) =>
    createGroup(tx, viewer, parseForm(NewGroup, form), site),
  );
  return redirect(urls.group(slug));
});

export const meta = pageMeta((_data, t) => ({ title: t("New group"), hidden: true }));

export default function NewGroupPage({ loaderData: { clientId } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("New group")} lead={t("You will be its owner.")} />
      <Form method="post" className="grid gap-5">
        <FormErrors />
        <input type="hidden" name="clientId" value={clientId} />
        <TextField
          name="name"
          label={t("Name")}
          required
          minLength={LIMITS.groupName.min}
          maxLength={LIMITS.groupName.max}
          dir="auto"
          autoComplete="off"
        />
        <TextField
          name="purpose"
          label={t("Purpose")}
          hint={t("One sentence: what people do here together.")}
          maxLength={LIMITS.purpose}
          dir="auto"
          autoComplete="off"
        />
        <TextField
          name="topic"
          label={t("Topic")}
          hint={t("One word, such as “garden”.")}
          maxLength={40}
          dir="auto"
          autoComplete="off"
        />
        <AccessFields />
        <TextArea
          name="rules"
          label={t("Rules (optional)")}
          hint={t("One per line. Community rules always apply.")}
          maxLength={6000}
          rows={4}
          dir="auto"
        />
        <TextArea
          name="questions"
          label={t("Membership questions (optional)")}
          hint={t("One per line, at most three.")}
          maxLength={1000}
          rows={3}
          dir="auto"
        />
        <BackgroundField />
        <div>
          <SubmitButton busy={t("Creating…")}>{t("Create group")}</SubmitButton>
        </div>
      </Form>
    </>
  );
}
