import { Form, redirect } from "react-router";
import { arrivalOf } from "#community/people";
import { membersOnly } from "../auth.ts";
import { asked, verbIn } from "../forms.ts";
import { pageMeta, useRoot } from "../ui/index.ts";
import { ownPath } from "../urls.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/welcome";
import { GroupsStep } from "./groups-step.tsx";
import { InvitedBy } from "./invited-by.tsx";
import { MailStep } from "./mail-step.tsx";
import { NameStep } from "./name-step.tsx";
import { Progress } from "./progress.tsx";
import { RulesStep } from "./rules-step.tsx";
import { groupsToChoose, invitedTo, rulesToAccept } from "./step-data.ts";
import { welcomeVerbs } from "./verbs.ts";

export const middleware = [membersOnly];

const STEPS = 4;
const stepOf = (url: URL) => Math.min(STEPS, Math.max(1, Number.parseInt(asked(url, "step", 2), 10) || 1));

export const loader = reading(async ({ visit, viewer, house, db, url }) => {
  const me = signedIn(viewer);
  const arrival = await arrivalOf(db, me);
  const next = asked(url, "next", 300);
  if (!arrival || arrival.welcomedAt) throw redirect(ownPath(next));
  const step = stepOf(url);
  const invitation = await invitedTo(db, me, next, visit.now);
  return {
    step,
    invitation,
    next,
    missed: asked(url, "missed", 300),
    mailLevel: arrival.mailLevel,
    rules: step === 2 ? await rulesToAccept(house, arrival) : null,
    groups: step === 3 ? await groupsToChoose(db, me, invitation?.group.id) : null,
  };
});

export type WelcomeData = Awaited<ReturnType<typeof loader>>;
export type StepProps = { data: WelcomeData };

export const action = acting(async ({ visit, viewer, form, url }) => {
  return verbIn(welcomeVerbs, form)({ visit, me: signedIn(viewer), form, next: asked(url, "next", 300) });
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
      <Progress step={data.step} next={data.next} />
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
