import { data, Form } from "react-router";
import { conversationFor, messagesOf } from "#community/conversations";
import { NewReport, reportMessages } from "#community/moderation";
import { LIMITS } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { ButtonLink, FormFaults, PageHead, pageMeta, Prose, SubmitButton, TextArea, Time } from "../ui/index.ts";
import { Thanks } from "../moderation/thanks.tsx";
import { Link } from "../ui/link.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/report-messages";
import { windowIn } from "./conversation-data.ts";

export const middleware = [membersOnly];

/** Messages of others in the conversation, to choose from. */
export const loader = reading(async ({ db, viewer, params, url }) => {
  const conversation = await conversationFor(db, viewer, params["conversationId"] ?? "");
  const page = await messagesOf(db, viewer, conversation, { before: windowIn(url).before });
  const messages = page.messages.filter(({ mine, stub }) => !mine && stub === null);
  const older = page.hasOlder ? page.messages[0]?.seq : undefined;
  return { conversation, messages, older, chosen: asked(url, "message") };
});

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("conversationId", params["conversationId"] ?? "");
  await house.database.inTransaction((tx) => reportMessages(tx, viewer, parseForm(NewReport, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Report messages"), hidden: true }));

export default function ReportMessages({ loaderData: { conversation, messages, older, chosen } }: Route.ComponentProps) {
  const t = useWords();
  const answer = useAnswer<{ reported?: true }>();
  const back = <ButtonLink to={urls.conversation(conversation.id)}>{t("Back to the conversation")}</ButtonLink>;
  const head = <PageHead title={t("Report messages")} lead={conversationName(conversation, t("Only you"))} />;
  if (answer?.reported)
    return (
      <>
        {head}
        <Thanks back={back}>
          {t("Thank you. Those who look after this place will read it. Nobody in the conversation is told, and you hear how it ends.")}
        </Thanks>
      </>
    );
  return (
    <>
      {head}
      <Form method="post" className="grid gap-5">
        <FormFaults />
        <p className="max-w-measure">
          {t(
            "Those who look after this place cannot read conversations. They will see the messages you choose, {count} before and after each, and your name; nothing else of it.",
            {
              count: LIMITS.reports.around,
            },
          )}
        </p>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">{t("Which messages?")}</legend>
          {older && (
            <p>
              <Link to={urls.reportMessages(conversation.id, { before: older })}>{t("Earlier messages")}</Link>
            </p>
          )}
          {messages.length === 0 && <p className="text-quiet">{t("There is nothing here that somebody else has said.")}</p>}
          {messages.map((message) => (
            <label key={message.id} className="check items-start rounded-panel border border-line bg-surface p-3">
              <input type="checkbox" name="messageIds[]" value={message.id} defaultChecked={message.id === chosen} />
              <span className="min-w-0">
                <span className="block text-small text-quiet">
                  {message.author?.name ?? t("Former member")} · <Time at={message.createdAt} />
                </span>
                <Prose html={message.html ?? ""} className="message-text" />
              </span>
            </label>
          ))}
        </fieldset>
        <TextArea name="reason" label={t("What is wrong with them?")} required maxLength={LIMITS.reports.reason} dir="auto" />
        <p className="flex flex-wrap gap-2">
          <SubmitButton busy={t("Sending…")}>{t("Report")}</SubmitButton>
          {back}
        </p>
      </Form>
    </>
  );
}
