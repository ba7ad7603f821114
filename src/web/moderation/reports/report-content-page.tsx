import { data, redirect } from "react-router";
import { getGroup } from "#community/groups";
import {
  type GuestReportKind,
  NewGroupReport,
  NewPersonReport,
  NewResourceReport,
  reportGroup,
  reportDetails,
  reportPerson,
  reportResource,
} from "#community/moderation";
import { getPerson } from "#community/accounts";
import { getResource } from "#community/resources";
import { groupRules, isSignedIn, personRules, resourceRules, type Viewer } from "#community/rules";
import type { Db, Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { isKeyOf } from "#platform/objects";
import { parseForm } from "../../form-parsing.ts";
import { ButtonLink, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { loadGuestForm, submitGuestForm } from "./guest-report-form.ts";
import { loadCategories } from "./report-detail-fields.tsx";
import { ReportFormPage } from "./report-form-page.tsx";
import type { Route } from "./+types/report-content-page";

type ReportTarget = { id: string; name: string; canReport: boolean; back: string };
type Details = ReturnType<typeof reportDetails>;
type ReportKind = {
  find: (db: Db, viewer: Viewer, id: string) => Promise<ReportTarget>;
  report: (tx: Tx, viewer: Viewer, form: FormData, details: Details) => Promise<unknown>;
  /** Name of the form field for the id of the reported content. */
  field: string;
  guestKind: GuestReportKind;
};
const REPORT_KINDS = {
  users: {
    async find(db, viewer, id) {
      const person = await getPerson(db, viewer, id);
      return {
        id: person.id,
        name: person.name,
        canReport: personRules.report(viewer, person),
        back: urls.person(person.id),
      };
    },
    report: (tx, viewer, form, details) =>
      reportPerson(tx, viewer, parseForm(NewPersonReport.extend(details), form)),
    field: "personId",
    guestKind: "person",
  },
  resources: {
    async find(db, viewer, id) {
      const resource = await getResource(db, viewer, id);
      return {
        id: resource.id,
        name: resource.title,
        canReport: resourceRules.report(viewer, resource),
        back: urls.resource(resource.id),
      };
    },
    report: (tx, viewer, form, details) =>
      reportResource(tx, viewer, parseForm(NewResourceReport.extend(details), form)),
    field: "resourceId",
    guestKind: "resource",
  },
  groups: {
    async find(db, viewer, id) {
      const group = await getGroup(db, viewer, id);
      return {
        id: group.id,
        name: group.name,
        canReport: groupRules.report(viewer, group),
        back: urls.group(group.slug),
      };
    },
    report: (tx, viewer, form, details) =>
      reportGroup(tx, viewer, parseForm(NewGroupReport.extend(details), form)),
    field: "groupId",
    guestKind: "group",
  },
} satisfies Record<string, ReportKind>;

/** False for content that the viewer cannot see; other errors are thrown. */
function isNotFound(error: unknown): false {
  if (error instanceof Refusal && error.reason === "not-found") return false;
  throw error;
}

function parseReportKind(kind: string): keyof typeof REPORT_KINDS {
  if (!isKeyOf(REPORT_KINDS, kind)) throw notFound();
  return kind;
}

export const loader = defineLoader(async ({ ctx, app, db, viewer, params }) => {
  const kind = parseReportKind(params["kind"]!);
  const { canReport, name, back } = await REPORT_KINDS[kind].find(db, viewer, params["id"]!);
  if (!canReport) throw notFound();
  return { kind, name, back, categories: await loadCategories(app), guest: await loadGuestForm(ctx) };
});

export const action = defineAction(async ({ ctx, db, app, viewer, form, params }) => {
  const { find, field, report, guestKind } = REPORT_KINDS[parseReportKind(params["kind"]!)];
  // The URL may contain a user name or slug instead of the id.
  const { id } = await find(db, viewer, params["id"]!);
  const details = reportDetails(await loadCategories(app));
  if (!isSignedIn(viewer)) {
    await submitGuestForm(ctx, form, { kind: guestKind, subjectId: id }, details);
    return data({ reported: true });
  }
  form.set(field, id);
  const canReport = await app.database.inTransaction(async (tx) => {
    await report(tx, viewer, form, details);
    return find(tx, viewer, id).then((it) => it.canReport, isNotFound);
  });
  // Enough reports hide a resource from those who reported it: this page would no longer show it.
  if (!canReport) return redirect(urls.ownReports());
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ kind }, t) => ({
  title: { users: t("Report person"), resources: t("Report resource"), groups: t("Report group") }[kind],
  hidden: true,
}));

/** Reports a profile, a resource or a group's description to moderators. */
export default function ReportContent({
  loaderData: { kind, name, back, categories, guest },
}: Route.ComponentProps) {
  const t = useTranslate();
  const words = {
    users: {
      title: t("Report person"),
      description: t(
        "Staff will see this profile as you see it now, your explanation and your name. To report " +
          "a post, use the menu of that post.",
      ),
      thanks: t(
        "Thank you. Staff will review it. {name} is not notified; you are notified of the decision.",
        { name },
      ),
      way: t("Back to profile"),
    },
    resources: {
      title: t("Report resource"),
      description: t(
        "Moderators will see the resource as it is now, your explanation and your name. To report a " +
          "comment, use the menu of that comment.",
      ),
      thanks: t(
        "Thank you. Moderators will review it. The owner does not learn who reported it; you are " +
          "notified of the decision.",
      ),
      way: t("Back to resource"),
    },
    groups: {
      title: t("Report group"),
      description: t(
        "Staff will see the group's description, your explanation and your name. To report a " +
          "post, use the menu of that post.",
      ),
      thanks: t(
        "Thank you. Staff will review it. The group is not notified; you are notified of the decision.",
      ),
      way: t("Back to group"),
    },
  };
  const { way: backLabel, ...texts } = words[kind];
  return (
    <ReportFormPage
      {...texts}
      name={name}
      categories={categories}
      guest={guest}
      back={<ButtonLink to={back}>{backLabel}</ButtonLink>}
    />
  );
}
