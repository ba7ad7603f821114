import { data, Form } from "react-router";
import { getConversation, getMessagesPage } from "#community/conversations";
import { NewReport, reportDetails, reportMessages } from "#community/moderation";
import { LIMITS } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import {
  ButtonLink,
  FormErrors,
  PageHeader,
  pageMeta,
  Prose,
  SubmitButton,
  TextArea,
  Time,
} from "../ui/index.ts";
import { loadCategories, ReportDetailFields } from "../moderation/reports/report-detail-fields.tsx";
import { ReportConfirmation } from "../moderation/reports/report-confirmation.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/report-messages-page";
import { readMessageRange } from "./conversation-data.ts";

export const middleware = [requireMember];

/** Lists messages of others in the conversation, from which the reporter chooses. */
export const loader = defineLoader(async ({ app, db, viewer, params, url }) => {
  const conversation = await getConversation(db, viewer, params["conversationId"] ?? "");
  const page = await getMessagesPage(db, viewer, conversation, { before: readMessageRange(url).before });
  const messages = page.messages.filter(({ mine, stub }) => !mine && stub === null);
  const older = page.hasOlder ? page.messages[0]?.seq : undefined;
  const chosen = readQueryParam(url, "message");
  return { conversation, messages, older, chosen, categories: await loadCategories(app) };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("conversationId", params["conversationId"] ?? "");
  const schema = NewReport.extend(reportDetails(await loadCategories(app)));
  await app.database.inTransaction((tx) => reportMessages(tx, viewer, parseForm(schema, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Report messages"),
  hidden: true,
}));

export default function ReportMessages({
  loaderData: { conversation, messages, older, chosen, categories },
}: Route.ComponentProps) {
  const t = useTranslate();
  const answer = useFormResult<{ reported?: true }>();
  const back = <ButtonLink to={urls.conversation(conversation.id)}>{t("Back to conversation")}</ButtonLink>;
  const head = (
    <PageHeader title={t("Report messages")} lead={conversationName(conversation, t("Only you"))} />
  );
  if (answer?.reported)
    return (
      <>
        {head}
        <ReportConfirmation back={back}>
          {t(
            "Thank you. Staff will review it. The participants are not notified; you are notified of the decision.",
          )}
        </ReportConfirmation>
      </>
    );
  return (
    <>
      {head}
      <Form method="post" className="grid gap-5">
        <FormErrors />
        <p className="max-w-measure">
          {t(
            "Staff cannot read conversations. They will see the selected messages, {count} before and " +
              "after each, and your name.",
            {
              count: LIMITS.reports.around,
            },
          )}
        </p>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">{t("Messages")}</legend>
          {older && (
            <p>
              <Link to={urls.reportMessages(conversation.id, { before: older })}>
                {t("Earlier messages")}
              </Link>
            </p>
          )}
          {messages.length === 0 && (
            <p className="text-quiet">{t("There is no message from anyone else.")}</p>
          )}
          {messages.map((message) => (
            <label
              key={message.id}
              className="check items-start rounded-panel border border-line bg-surface p-3"
            >
              <input
                type="checkbox"
                name="messageIds[]"
                value={message.id}
                defaultChecked={message.id === chosen}
              />
              <span className="min-w-0">
                <span className="block text-small text-quiet">
                  {message.author?.name ?? t("Former member")} · <Time at={message.createdAt} />
                </span>
                <Prose html={message.html ?? ""} className="message-text" />
              </span>
            </label>
          ))}
        </fieldset>
        <ReportDetailFields categories={categories} />
        <TextArea
          name="reason"
          label={t("What is wrong?")}
          required
          maxLength={LIMITS.reports.reason}
          dir="auto"
        />
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Sending…")}>{t("Report", undefined, "verb")}</SubmitButton>
          {back}
        </p>
      </Form>
    </>
  );
}
