import { useLocation, useNavigation } from "react-router";
import { Panel } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * Shows the text that a guest submitted without scripts, with the sign-in form that sends it. Pages refused
 * with `not-signed-in` contain this.
 */
export function SignInToSend({ text, place }: { text: string; place: string }) {
  const t = useTranslate();
  const { pathname, search } = useLocation();
  const busy = useNavigation().state === "submitting";
  return (
    <Panel title={t("Sign in to send")} id="sign-in-to-send">
      <p className="mb-3 text-quiet">
        {t("Your text is saved as a draft; after signing in you can send it.")}
      </p>
      <SignInForm
        context={{ next: pathname + search, kept: text, keptPlace: place }}
        answer={undefined}
        busy={busy}
        id="send-"
      />
    </Panel>
  );
}
