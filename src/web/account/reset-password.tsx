import { Form, redirect } from "react-router";
import { z } from "zod";
import { NewPassword } from "#community/people";
import { asked, parseForm } from "../forms.ts";
import { ButtonLink, pageMeta, SubmitButton, TextField } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/reset-password";
import { afterFirstStep, errandOf, fromOf, turnedAway } from "./entering.ts";
import { Faults, refusedIn } from "./faults.tsx";
import { Heading } from "./pages/heading.tsx";
import { MailboxHint } from "./pages/mailbox-hint.tsx";
import { SpentLink } from "./pages/spent-link.tsx";
import PasskeyWay from "./passkeys/passkey-way.tsx";
import { PasswordField } from "./password-field.tsx";
import { usePasswordWords } from "./password-words.ts";
import { Link } from "../ui/link.tsx";

export const loader = reading(async ({ house, url }) => {
  const token = asked(url, "token");
  return {
    step: token === "" ? ("ask" as const) : ("set" as const),
    sent: url.searchParams.has("sent"),
    passkeys: house.accounts.takesPasskeys(),
    holds: token !== "" && (await house.accounts.resetLinkHolds(token)),
  };
});

export const action = acting(async ({ visit, house, url, form }) => {
  const token = asked(url, "token");
  if (token === "") {
    const { email } = parseForm(z.object({ email: z.string().trim().min(1, "Your mail address is needed.") }), form);
    await house.accounts.sendResetLink(email, fromOf(visit));
    throw redirect(urls.resetPassword({ sent: "1" }));
  }
  const chosen = parseForm(NewPassword, form);
  try {
    return await afterFirstStep(visit, await house.accounts.resetPassword(token, chosen, fromOf(visit), "web"), errandOf(form));
  } catch (error) {
    return turnedAway(visit, error, errandOf(form));
  }
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Set a new password"), hidden: true }));

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { step, holds, sent, passkeys } = loaderData;
  if (step === "ask") return sent && !actionData ? <Asked /> : <Ask answer={actionData} />;
  return holds ? <SetPassword answer={actionData} passkeys={passkeys} /> : <Spent />;
}

function Ask({ answer }: { answer: unknown }) {
  const t = useWords();
  return (
    <>
      <Heading title={t("Forgotten your password?")}>
        <p>{t("Tell us your address, and we send you a link with which you set a new one.")}</p>
      </Heading>
      <Form method="post" action={urls.resetPassword()} className="grid gap-4">
        <Faults answer={answer} />
        <TextField name="email" type="email" label={t("E-mail address")} required maxLength={320} autoComplete="email" />
        <SubmitButton busy={t("Writing…")}>{t("Send me a link")}</SubmitButton>
      </Form>
      <p className="mt-4">
        <Link to={urls.login()}>{t("Back to signing in")}</Link>
      </p>
    </>
  );
}

function Asked() {
  const t = useWords();
  return (
    <>
      <Heading title={t("Check your inbox")}>
        <p>{t("If there is an account with that address, a link is on its way. It works once, for one hour.")}</p>
      </Heading>
      <p>
        <Link to={urls.resetPassword()}>{t("Nothing came? Ask again")}</Link>
      </p>
      <MailboxHint />
    </>
  );
}

function SetPassword({ answer, passkeys }: { answer: unknown; passkeys: boolean }) {
  const t = useWords();
  const words = usePasswordWords();
  const fields = refusedIn(answer)?.refused.fields ?? {};
  return (
    <>
      <Heading title={t("Set a new password")}>
        <p>{t("It ends every session of your account but the one that begins now.")}</p>
      </Heading>
      <Form method="post" className="grid gap-4">
        <Faults answer={answer} />
        <PasswordField name="password" label={t("New password")} autoComplete="new-password" hint={words} fault={fields["password"]} />
        <PasswordField name="again" label={t("Once more")} autoComplete="new-password" fault={fields["again"]} />
        <SubmitButton busy={t("Setting…")}>{t("Set the password")}</SubmitButton>
      </Form>
      {passkeys && (
        <section aria-label={t("Other ways in")} className="mt-5 border-t border-line pt-4">
          <p className="text-quiet">{t("Do you have a passkey here? It signs you in, and your password stays as it is.")}</p>
          <PasskeyWay way={{ next: "" }} href={urls.loginPage("passkey")} />
        </section>
      )}
    </>
  );
}

function Spent() {
  const t = useWords();
  return (
    <SpentLink>
      <ButtonLink kind="primary" to={urls.resetPassword()}>
        {t("Send me a new link")}
      </ButtonLink>
      <ButtonLink to={urls.login()}>{t("Sign in")}</ButtonLink>
    </SpentLink>
  );
}
