import { Form, redirect } from "react-router";
import { getOnboardingProgress, saveWelcomeStep } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, chooseAction } from "../form-parsing.ts";
import { Notice, pageMeta, useRootData } from "../ui/index.ts";
import { ownPathOrHome, urls } from "../urls.ts";
import { defineAction, defineLoader, requireSignedIn } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/welcome-page";
import { GroupsStep } from "./groups-step.tsx";
import { InvitedBy } from "./invited-by.tsx";
import { MailStep } from "./mail-step.tsx";
import { NameStep } from "./name-step.tsx";
import { WelcomeProgress } from "./welcome-progress.tsx";
import { RulesStep } from "./rules-step.tsx";
import { getDigestSettings, listGroupsToChoose, findInvitation, findRulesToAccept } from "./step-data.ts";
import { welcomeCommands } from "./welcome-commands.ts";

export const middleware = [requireMember];

const STEPS = 4;
/** Returns the step in the URL, or the step at which the person stopped. */
const readStep = (url: URL, reached = 1) =>
  Math.min(STEPS, Math.max(1, Number.parseInt(readQueryParam(url, "step", 2), 10) || reached));
/** Whether this is an admin's preview of the welcome, in which nothing is saved. */
const isPreview = (url: URL, me: SignedIn) => me.role === "admin" && url.searchParams.has("preview");

export const loader = defineLoader(async ({ ctx, viewer, app, db, url }) => {
  const me = requireSignedIn(viewer);
  const arrival = await getOnboardingProgress(db, me);
  const next = readQueryParam(url, "next", 300);
  const preview = isPreview(url, me);
  if (!arrival || (arrival.welcomedAt && !preview)) throw redirect(ownPathOrHome(next));
  const step = readStep(url, preview ? 1 : (arrival.step ?? 1));
  if (!preview && step > (arrival.step ?? 0))
    await app.database.inTransaction((tx) => saveWelcomeStep(tx, me, step));
  const invitation = await findInvitation(db, me, next, ctx.now);
  return {
    step,
    invitation,
    /** Query parameters of every step. */
    at: { next, ...(preview && { preview: "1" }) },
    missed: readQueryParam(url, "missed", 300),
    mailLevel: arrival.mailLevel,
    digest: step === 4 ? await getDigestSettings(db, me, ctx.now) : null,
    rules: step === 2 ? await findRulesToAccept(app, arrival) : null,
    groups: step === 3 ? await listGroupsToChoose(db, me, invitation?.group.id) : null,
  };
});

export type WelcomeData = Awaited<ReturnType<typeof loader>>;
export type StepProps = { data: WelcomeData };

export const action = defineAction(async ({ ctx, viewer, form, url }) => {
  const me = requireSignedIn(viewer);
  const next = readQueryParam(url, "next", 300);
  const verb = chooseAction(welcomeCommands, form);
  if (!isPreview(url, me)) return verb({ ctx, me, form, next });
  const step = readStep(url);
  const isOver = step === STEPS || form.get("intent") === "skip-all";
  return redirect(isOver ? urls.siteSettings() : urls.welcome({ step: step + 1, next, preview: "1" }));
});

export const meta = pageMeta<WelcomeData>((_data, t, root) => ({
  title: t("Welcome to {community}", { community: root.community.name }),
  hidden: true,
}));

export default function Welcome({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const { community } = useRootData();
  const Step = [NameStep, RulesStep, GroupsStep, MailStep][data.step - 1]!;
  return (
    <>
      <h1 className="font-serif text-headline font-semibold">
        {t("Welcome to {community}", { community: community.name })}
      </h1>
      {data.at.preview && (
        <div className="mt-3">
          <Notice>{t("Preview of the welcome pages. Nothing is saved.")}</Notice>
        </div>
      )}
      <WelcomeProgress step={data.step} at={data.at} />
      {data.invitation && <InvitedBy {...data.invitation} />}
      <Step data={data} />
      <Form method="post" className="mt-6 border-t border-line pt-4 text-center">
        <button type="submit" name="intent" value="skip-all" className="button" data-kind="quiet">
          {t("Skip setup")}
        </button>
      </Form>
    </>
  );
}
