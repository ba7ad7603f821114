import { redirect } from "react-router";
import type { InvitationFound } from "#community/groups";
import { isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { invitationAt } from "../groups/invitation-at.ts";
import { useInvitationOver } from "../groups/invitation-over.ts";
import { ButtonLink, Notice, pageMeta, Tabs, useRoot } from "../ui/index.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { InvitedBy } from "../welcome/invited-by.tsx";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/register";
import { ProviderButtons } from "./provider-buttons.tsx";
import { RegisterForm } from "./register-form.tsx";
import { registerFrom, suggestion } from "./registering.ts";

export const loader = reading(async ({ visit, viewer, house, db, url }) => {
  const next = asked(url, "next", 300);
  if (isSignedIn(viewer)) throw redirect(ownPath(next));
  const { registration } = await house.settings.get();
  const invitation = await invitationAt(db, viewer, ownPath(next), visit.now);
  return {
    next,
    registration,
    invitation,
    started: house.accounts.formStart(),
    providers: house.providers,
    /** Requested by the form while it is filled in. */
    suggestion: await suggestion(visit, asked(url, "suggest", 50)),
  };
});

export const action = acting(async ({ visit, form }) => registerFrom(visit, form));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t, root) => ({
  title: t("Join {community}", { community: root.community.name }),
  description: root.community.sentence,
  canonical: urls.register(),
}));

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const t = useWords();
  const { community } = useRoot();
  const { next, registration, started, providers, invitation } = loaderData;
  const open = invitation?.state === "open" ? invitation : null;
  const closed = registration === "closed";
  return (
    <>
      <h1 className="font-serif text-title font-semibold">{t("Join {community}", { community: community.name })}</h1>
      {community.sentence && (
        <p className="mt-1 text-quiet" dir="auto">
          {community.sentence}
        </p>
      )}
      <div className="my-5">
        <Tabs
          fixed
          label={t("Coming in")}
          tabs={[
            { to: urls.login({ next }), label: t("Sign in"), current: false },
            { to: urls.register({ next }), label: t("Join us"), current: true },
          ]}
        />
      </div>
      {closed && !open?.registers ? (
        <Closed next={next} invitation={invitation} />
      ) : (
        <>
          {open && <InvitedBy {...open} />}
          {registration === "approval" && (
            <div className="mb-5">
              <Notice>
                {t("Every registration here is read by a human. You will hear from us by mail, usually within a day or two.")}
              </Notice>
            </div>
          )}
          <RegisterForm
            answer={actionData}
            next={next}
            started={started}
            approval={registration === "approval"}
            invited={(closed && open?.email) || undefined}
          />
          <ProviderButtons providers={providers} next={next} />
        </>
      )}
    </>
  );
}

function Closed({ next, invitation }: { next: string; invitation: InvitationFound | null }) {
  const t = useWords();
  const over = useInvitationOver();
  // If an open `join` invitation does not open registration, pending registrations take all its places.
  const state = invitation?.state === "open" ? (invitation.entry === "join" ? "used" : null) : (invitation?.state ?? null);
  return (
    <>
      <Notice>
        <p className="font-semibold">{t("New accounts are only by invitation here.")}</p>
        {state && <p>{over(state).join(" ")}</p>}
        {invitation?.state === "open" && !state && <p>{t("Yours is for those who have an account: it asks before it lets in.")}</p>}
        {!invitation && <p>{t("Somebody who is a member can invite you to a group of theirs, by mail or by a link.")}</p>}
      </Notice>
      <div className="mt-5 flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={urls.login({ next })}>
          {t("Sign in")}
        </ButtonLink>
        <ButtonLink to={urls.about()}>{t("About this place")}</ButtonLink>
      </div>
    </>
  );
}
