import { Form, redirect } from "react-router";
import { arrivalOf, reachStep } from "#community/people";
import type { SignedIn } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, verbIn } from "../forms.ts";
import { Notice, pageMeta, useRoot } from "../ui/index.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/welcome";
import { GroupsStep } from "./groups-step.tsx";
import { InvitedBy } from "./invited-by.tsx";
import { MailStep } from "./mail-step.tsx";
import { NameStep } from "./name-step.tsx";
import { Progress } from "./progress.tsx";
import { RulesStep } from "./rules-step.tsx";
import { digestOf, groupsToChoose, invitedTo, rulesToAccept } from "./step-data.ts";
import { welcomeVerbs } from "./verbs.ts";

export const middleware = [membersOnly];

const STEPS = 4;
/** The step in the URL, or the one where the person stopped. */
const stepOf = (url: URL, reached = 1) => Math.min(STEPS, Math.max(1, Number.parseInt(asked(url, "step", 2), 10) || reached));
/** Admins can preview the welcome; nothing is saved. */
const isPreview = (url: URL, me: SignedIn) => me.role === "admin" && url.searchParams.has("preview");

export const loader = reading(async ({ visit, viewer, house, db, url }) => {
  const me = signedIn(viewer);
  const arrival = await arrivalOf(db, me);
  const next = asked(url, "next", 300);
  const preview = isPreview(url, me);
  if (!arrival || (arrival.welcomedAt && !preview)) throw redirect(ownPath(next));
  const step = stepOf(url, preview ? 1 : (arrival.step ?? 1));
  if (!preview && step > (arrival.step ?? 0)) await house.database.inTransaction((tx) => reachStep(tx, me, step));
  const invitation = await invitedTo(db, me, next, visit.now);
  return {
    step,
    invitation,
    /** Carried in every step's URL. */
    at: { next, ...(preview && { preview: "1" }) },
    missed: asked(url, "missed", 300),
    mailLevel: arrival.mailLevel,
    digest: step === 4 ? await digestOf(db, me, visit.now) : null,
    rules: step === 2 ? await rulesToAccept(house, arrival) : null,
    groups: step === 3 ? await groupsToChoose(db, me, invitation?.group.id) : null,
  };
});

export type WelcomeData = Awaited<ReturnType<typeof loader>>;
export type StepProps = { data: WelcomeData };

export const action = acting(async ({ visit, viewer, form, url }) => {
  const me = signedIn(viewer);
  const next = asked(url, "next", 300);
  const verb = verbIn(welcomeVerbs, form);
  if (!isPreview(url, me)) return verb({ visit, me, form, next });
  const step = stepOf(url);
  const isOver = step === STEPS || form.get("intent") === "skip-all";
  return redirect(isOver ? urls.siteSettings() : urls.welcome({ step: step + 1, next, preview: "1" }));
});

export const meta = pageMeta<WelcomeData>((_data, t, root) => ({
  title: t("Welcome to {community}", { community: root.community.name }),
  hidden: true,
}));

export default function Welcome({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  const { community } = useRoot();
  const Step = [NameStep, RulesStep, GroupsStep, MailStep][data.step - 1]!;
  return (
    <>
      <h1 className="font-serif text-headline font-semibold">{t("Welcome to {community}", { community: community.name })}</h1>
      {data.at.preview && (
        <div className="mt-3">
          <Notice>{t("This is what newcomers are shown. Nothing that you send here is kept.")}</Notice>
        </div>
      )}
      <Progress step={data.step} at={data.at} />
      {data.invitation && <InvitedBy {...data.invitation} />}
      <Step data={data} />
      <Form method="post" className="mt-6 border-t border-line pt-4 text-center">
        <button type="submit" name="intent" value="skip-all" className="button" data-kind="quiet">
          {t("Not now: take me straight in")}
        </button>
      </Form>
    </>
  );
}
