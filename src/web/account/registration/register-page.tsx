import { redirect } from "react-router";
import type { InvitationView } from "#community/groups";
import { isSignedIn } from "#community/rules";
import { readQueryParam } from "../../form-parsing.ts";
import { findInvitationAt } from "../../groups/join/find-invitation.ts";
import { useInvitationErrors } from "../../groups/join/invitation-errors.ts";
import { ButtonLink, Notice, pageMeta, Tabs, useRootData } from "../../ui/index.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { InvitedBy } from "../../welcome/invited-by.tsx";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/register-page";
import { ProviderButtons } from "../providers/provider-buttons.tsx";
import { RegisterForm } from "./register-form.tsx";
import { submitRegistration, suggestFreeUsername } from "./register-person.ts";
import { createFormToken } from "#community/accounts";
import { createProofChallenge } from "#community/prevention";

export const loader = defineLoader(async ({ ctx, viewer, app, db, url }) => {
  const next = readQueryParam(url, "next", 300);
  if (isSignedIn(viewer)) throw redirect(ownPathOrHome(next));
  const { registration } = await app.settings.get();
  const invitation = await findInvitationAt(db, viewer, ownPathOrHome(next), ctx.now);
  return {
    next,
    registration,
    invitation,
    started: createFormToken(app),
    challenge: await createProofChallenge(app, "register"),
    providers: [...app.signInProviders.keys()],
    /** The form requests this suggestion while the person fills in the form. */
    suggestion: await suggestFreeUsername(ctx, readQueryParam(url, "suggest", 50)),
  };
});

export const action = defineAction(async ({ ctx, form }) => submitRegistration(ctx, form));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t, root) => ({
  title: t("Join {community}", { community: root.community.name }),
  description: root.community.sentence,
  canonical: urls.register(),
}));

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  const { community } = useRootData();
  const { next, registration, started, challenge, providers, invitation } = loaderData;
  const open = invitation?.state === "open" ? invitation : null;
  const closed = registration === "closed";
  return (
    <>
      <h1 className="font-serif text-title font-semibold">
        {t("Join {community}", { community: community.name })}
      </h1>
      {community.sentence && !open && (
        <p className="mt-1 text-quiet" dir="auto">
          {community.sentence}
        </p>
      )}
      <div className="my-5">
        <Tabs
          fixed
          label={t("Sign in or sign up")}
          tabs={[
            { to: urls.login({ next }), label: t("Sign in"), current: false },
            { to: urls.register({ next }), label: t("Sign up"), current: true },
          ]}
        />
      </div>
      {closed && !open?.registers ? (
        <RegistrationClosed next={next} invitation={invitation} />
      ) : (
        <>
          {open && <InvitedBy {...open} />}
          {registration === "approval" && (
            <div className="mb-5">
              <Notice>
                {t(
                  "Registrations need approval. Confirm your email address first; a moderator then decides, " +
                    "usually within a day or two.",
                )}
              </Notice>
            </div>
          )}
          <RegisterForm
            answer={actionData}
            next={next}
            started={started}
            challenge={challenge}
            approval={registration === "approval"}
            invited={(closed && open?.email) || undefined}
          />
          <ProviderButtons providers={providers} next={next} />
        </>
      )}
    </>
  );
}

function RegistrationClosed({ next, invitation }: { next: string; invitation: InvitationView | null }) {
  const t = useTranslate();
  const over = useInvitationErrors();
  // If a valid `join` invitation does not open registration, pending registrations have reserved its last
  // uses.
  const state =
    invitation?.state === "open"
      ? invitation.entry === "join"
        ? "used"
        : null
      : (invitation?.state ?? null);
  return (
    <>
      <Notice>
        <p className="font-semibold">{t("Registration is by invitation only.")}</p>
        {state && <p>{over(state).join(" ")}</p>}
        {invitation?.state === "open" && !state && (
          <p>
            {t("Your invitation needs approval, so it only works for people who already have an account.")}
          </p>
        )}
        {!invitation && <p>{t("A member can invite you by email or with a link.")}</p>}
      </Notice>
      <div className="mt-5 flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={urls.login({ next })}>
          {t("Sign in")}
        </ButtonLink>
        <ButtonLink to={urls.about()}>{t("About this community")}</ButtonLink>
      </div>
    </>
  );
}
