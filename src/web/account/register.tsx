import { redirect } from "react-router";
import { isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { ButtonLink, Notice, pageMeta, Tabs, useRoot } from "../ui/index.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/register";
import { ProviderButtons } from "./provider-buttons.tsx";
import { RegisterForm } from "./register-form.tsx";
import { registerFrom, suggestion } from "./registering.ts";

export const loader = reading(async ({ visit, viewer, house, url }) => {
  const next = asked(url, "next", 300);
  if (isSignedIn(viewer)) throw redirect(ownPath(next));
  const { registration } = await house.settings.get();
  return {
    next,
    registration,
    started: house.accounts.formStart(),
    providers: house.providers,
    /** Asked for by the form while it is filled in. */
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
  const { next, registration, started, providers } = loaderData;
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
      {registration === "closed" ? (
        <Closed next={next} />
      ) : (
        <>
          {registration === "approval" && (
            <div className="mb-5">
              <Notice>
                {t("Every registration here is read by a human. You will hear from us by mail, usually within a day or two.")}
              </Notice>
            </div>
          )}
          <RegisterForm answer={actionData} next={next} started={started} approval={registration === "approval"} />
          <ProviderButtons providers={providers} next={next} />
        </>
      )}
    </>
  );
}

function Closed({ next }: { next: string }) {
  const t = useWords();
  return (
    <>
      <Notice>
        <p className="font-semibold">{t("Registration is closed at the moment.")}</p>
        <p>{t("Somebody who is a member can tell you more, and ask those who look after this place to let you in.")}</p>
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
