import { Form } from "react-router";
import { resubscribeToMail, getUnsubscribeState, unsubscribeFromMail } from "#community/mail";
import { StepHeading } from "../account/login-steps/step-heading.tsx";
import { pageMeta, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/unsubscribe";

/**
 * The page for people with an unsubscribe link from a mail, signed in or not. A GET request changes nothing,
 * since mail scanners follow links.
 */
export const loader = defineLoader(async ({ app, db, params }) => {
  const { scope, stopped, all } = await getUnsubscribeState(db, app.signer, params["token"] ?? "");
  return { about: all ? "all" : scope === "kind:programs" ? "programs" : scope.split(":", 1)[0]!, stopped };
});

/**
 * Mail clients post `List-Unsubscribe=One-Click` to this address and get a response without a redirect (RFC
 * 8058). Repeating the request changes nothing.
 */
export const action = defineAction(async ({ app, params, form }) => {
  const token = params["token"] ?? "";
  const choice = form.get("wish");
  await app.database.inTransaction((tx) =>
    choice === "resume"
      ? resubscribeToMail(tx, app.signer, token)
      : unsubscribeFromMail(tx, app.signer, token, choice === "all"),
  );
  return null;
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Email"),
  hidden: true,
}));

export default function Unsubscribe({ loaderData: { about, stopped } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("Email")}>
        <p role="status">{stopped ? <StoppedText about={about} /> : <SubscriptionText about={about} />}</p>
      </StepHeading>
      <Form method="post" className="grid gap-3">
        {stopped ? (
          <ChoiceButton choice="resume">{t("Resume emails")}</ChoiceButton>
        ) : (
          <>
            <ChoiceButton choice="stop">{t("Stop emails about this")}</ChoiceButton>
            <ChoiceButton choice="all">{t("Stop all emails")}</ChoiceButton>
          </>
        )}
      </Form>
      <p className="mt-5 text-small text-quiet">
        {t("Security emails about your account are always sent.")}{" "}
        <a href={urls.home()}>{t("Go to the home page")}</a>
      </p>
    </>
  );
}

const ChoiceButton = ({ choice, children }: { choice: string; children: string }) => (
  <SubmitButton name="wish" value={choice} busy={children} kind={choice === "all" ? "quiet" : undefined}>
    {children}
  </SubmitButton>
);

function SubscriptionText({ about }: { about: string }) {
  const t = useTranslate();
  if (about === "discussion") return t("You receive emails about a discussion.");
  if (about === "conversation") return t("You receive emails about a conversation.");
  if (about === "group") return t("You receive emails about a group.");
  if (about === "digest") return t("You receive digests of what you have not read.");
  if (about === "programs") return t("You receive emails sent by API clients of this community.");
  return t("You receive emails about your notifications.");
}

function StoppedText({ about }: { about: string }) {
  const t = useTranslate();
  if (about === "discussion") return t("You will receive no more emails about this discussion.");
  if (about === "conversation") return t("You will receive no more emails about this conversation.");
  if (about === "group") return t("You will receive no more emails about this group.");
  if (about === "digest") return t("You will receive no more digests.");
  if (about === "programs") return t("You will receive no more emails from API clients.");
  if (about === "all") return t("You will receive no more emails.");
  return t("You will receive no more such emails.");
}
