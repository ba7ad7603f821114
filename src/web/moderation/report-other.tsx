import { data } from "react-router";
import { groupFor } from "#community/groups";
import { NewGroupReport, NewPersonReport, NewResourceReport, reportGroup, reportPerson, reportResource } from "#community/moderation";
import { personFor } from "#community/people";
import { resourceFor } from "#community/resources";
import { groupRules, personRules, resourceRules, type Viewer } from "#community/rules";
import type { Db, Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { ButtonLink, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { ReportPage } from "./report-page.tsx";
import type { Route } from "./+types/report-other";

export const middleware = [membersOnly];

type Found = { id: string; name: string; may: boolean; back: string };
type Kind = {
  find: (db: Db, viewer: Viewer, id: string) => Promise<Found>;
  report: (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>;
  /** Form field with its id. */
  field: string;
};
const KINDS = {
  users: {
    async find(db, viewer, id) {
      const person = await personFor(db, viewer, id);
      return { id: person.id, name: person.name, may: personRules.report(viewer, person), back: urls.person(person.id) };
    },
    report: (tx, viewer, form) => reportPerson(tx, viewer, parseForm(NewPersonReport, form)),
    field: "personId",
  },
  resources: {
    async find(db, viewer, id) {
      const resource = await resourceFor(db, viewer, id);
      return { id: resource.id, name: resource.title, may: resourceRules.report(viewer, resource), back: urls.resource(resource.id) };
    },
    report: (tx, viewer, form) => reportResource(tx, viewer, parseForm(NewResourceReport, form)),
    field: "resourceId",
  },
  groups: {
    async find(db, viewer, id) {
      const group = await groupFor(db, viewer, id);
      return { id: group.id, name: group.name, may: groupRules.report(viewer, group), back: urls.group(group.slug) };
    },
    report: (tx, viewer, form) => reportGroup(tx, viewer, parseForm(NewGroupReport, form)),
    field: "groupId",
  },
} satisfies Record<string, Kind>;

function kindOf(said: string): keyof typeof KINDS {
  if (!Object.hasOwn(KINDS, said)) throw notFound();
  return said as keyof typeof KINDS;
}

export const loader = reading(async ({ db, viewer, params }) => {
  const kind = kindOf(params["kind"]!);
  const { may, name, back } = await KINDS[kind].find(db, viewer, params["id"]!);
  if (!may) throw notFound();
  return { kind, name, back };
});

export const action = acting(async ({ db, house, viewer, form, params }) => {
  const { find, field, report } = KINDS[kindOf(params["kind"]!)];
  // The URL may hold another name for it, such as a user name.
  form.set(field, (await find(db, viewer, params["id"]!)).id);
  await house.database.inTransaction((tx) => report(tx, viewer, form));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ kind }, t) => ({
  title: { users: t("Report somebody"), resources: t("Report a resource"), groups: t("Report a group") }[kind],
  hidden: true,
}));

/** Reports a profile, a resource or a group's description to moderators. */
export default function ReportOther({ loaderData: { kind, name, back } }: Route.ComponentProps) {
  const t = useWords();
  const words = {
    users: {
      title: t("Report somebody"),
      says: t(
        "Those who look after this community will see this profile as you see it now, what you say about it, and your name. What somebody wrote is reported where it stands.",
      ),
      thanks: t("Thank you. Those who look after this community will read it. {name} is not told, and you hear how it ends.", { name }),
      way: t("Back to the profile"),
    },
    resources: {
      title: t("Report a resource"),
      says: t(
        "Those who look after where it stands, and after this community, will see what it says now, what you say about it, and your name. Comments are reported where they stand.",
      ),
      thanks: t("Thank you. Those who look after it will read it. Whoever keeps it is not told that it was you, and you hear how it ends."),
      way: t("Back to the resource"),
    },
    groups: {
      title: t("Report a group"),
      says: t(
        "Those who look after this community will see what the group says of itself now, what you say about it, and your name. What somebody wrote in it is reported where it stands.",
      ),
      thanks: t("Thank you. Those who look after this community will read it. Nobody in the group is told, and you hear how it ends."),
      way: t("Back to the group"),
    },
  };
  const { way, ...said } = words[kind];
  return <ReportPage {...said} name={name} back={<ButtonLink to={back}>{way}</ButtonLink>} />;
}
