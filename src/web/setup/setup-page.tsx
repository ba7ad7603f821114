import { findFirstAdminSetup } from "#community/accounts";
import { isSignedIn } from "#community/rules";
import { ExpiredLink } from "../account/login-steps/expired-link.tsx";
import { readQueryParam } from "../form-parsing.ts";
import { ButtonLink, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/setup-page";
import { completeSetup, type SetupReadyData } from "./complete-setup.ts";
import { SetupForm } from "./setup-form.tsx";
import { SetupReady } from "./setup-ready.tsx";

export const loader = defineLoader(async ({ ctx, app, viewer, url }) => {
  // The token is in this page's address, so other sites do not get it as referrer.
  ctx.headers["referrer-policy"] = "same-origin";
  const admin = await findFirstAdminSetup(app, readQueryParam(url, "token"));
  const { accent } = await app.settings.get();
  const placeholder = `admin@${new URL(app.origin()).hostname}`;
  return {
    isOpen: admin !== null,
    isMember: isSignedIn(viewer),
    accent,
    email: admin?.email === placeholder ? "" : (admin?.email ?? ""),
  };
});

export const action = defineAction(async ({ ctx, url, form }) =>
  completeSetup(ctx, readQueryParam(url, "token"), form),
);

export const meta = pageMeta((_data, t) => ({ title: t("Set up your community"), hidden: true }));

/**
 * Page for setting up an empty community, opened by the link that the server prints when it starts.
 * Afterwards it shows the invite link of the first group.
 */
export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  if (isReady(actionData)) return <SetupReady ready={actionData.ready} />;
  if (loaderData.isOpen) return <SetupForm accent={loaderData.accent} email={loaderData.email} />;
  return (
    <ExpiredLink>
      {loaderData.isMember ? (
        <ButtonLink kind="primary" to={urls.home()}>
          {t("Go to the home page")}
        </ButtonLink>
      ) : (
        <ButtonLink kind="primary" to={urls.login()}>
          {t("Sign in")}
        </ButtonLink>
      )}
    </ExpiredLink>
  );
}

const isReady = (answer: unknown): answer is SetupReadyData =>
  typeof answer === "object" && answer !== null && "ready" in answer;
