import { Form } from "react-router";
import { SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Faults, refusedIn } from "../faults.tsx";
import type { StepProps } from "../login-page.tsx";
import { Heading } from "./heading.tsx";
import { MailboxHint } from "./mailbox-hint.tsx";
import { Link } from "../../ui/link.tsx";

export function AskLink({ data, answer }: StepProps) {
  const t = useWords();
  if (data.said === "sent" && !answer)
    return (
      <>
        <Heading title={t("Check your inbox")}>
          <p>{t("If there is an account with that address, a link is on its way. It works once, for 15 minutes, best in this browser.")}</p>
        </Heading>
        <p>
          <Link to={urls.loginPage("ask-link", { next: data.next })}>{t("Nothing came? Ask again")}</Link>
        </p>
        <MailboxHint />
      </>
    );
  return (
    <>
      <Heading title={t("A link instead of a password")}>
        <p>{t("We send a link to your address. Whoever opens it is signed in.")}</p>
      </Heading>
      <Form method="post" action={urls.loginPage("ask-link")} className="grid gap-4">
        <Faults answer={answer} />
        <input type="hidden" name="next" value={refusedIn(answer)?.typed["next"] ?? data.next} />
        <TextField name="email" type="email" label={t("E-mail address")} required maxLength={320} autoComplete="email" />
        <SubmitButton busy={t("Writing…")}>{t("Send me a link")}</SubmitButton>
      </Form>
      <p className="mt-4">
        <Link to={urls.login({ next: data.next })}>{t("Sign in with a password")}</Link>
      </p>
    </>
  );
}
