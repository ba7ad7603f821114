import { Form, redirect } from "react-router";
import { confirmGuestReport, getGuestReport } from "#community/moderation";
import { Refusal } from "#platform/refusal";
import { FormErrors, Notice, PageHeader, pageMeta, SubmitButton, Tag, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useCategoryLabel } from "./category-labels.ts";
import type { Route } from "./+types/guest-report-status-page";

export const loader = defineLoader(async ({ ctx, db, params }) => {
  // The address is a secret that other sites must not see.
  ctx.headers["referrer-policy"] = "same-origin";
  try {
    return await getGuestReport(db, params["token"] ?? "", ctx.now);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal("gone", "This link does not work. It may be incomplete, or older than two days.");
  }
});

export const action = defineAction(async ({ app, params, url }) => {
  await confirmGuestReport(app, params["token"] ?? "");
  return redirect(url.pathname);
});

export const meta = pageMeta((_data, t) => ({ title: t("Your report"), hidden: true }));

/** The report of a guest: a button that confirms it, then its status. Only the guest has the address. */
export default function GuestReportStatusPage({ loaderData: it }: Route.ComponentProps) {
  const t = useTranslate();
  const categoryLabel = useCategoryLabel();
  const subjects = {
    post: t("Report about a post"),
    person: t("Report about a person"),
    resource: t("Report about a resource"),
    group: t("Report about a group"),
  };
  return (
    <>
      <PageHeader title={t("Your report")} lead={subjects[it.kind]} />
      {it.state === "unconfirmed" ? <ConfirmForm /> : <Status it={it} />}
      <section aria-label={t("Report")} className="panel mt-5 p-4">
        <p className="mb-2 flex flex-wrap items-center gap-2 text-small text-quiet">
          <Tag>{categoryLabel(it.category)}</Tag> <Time at={it.createdAt} />
        </p>
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {it.reason}
        </p>
      </section>
    </>
  );
}

function ConfirmForm() {
  const t = useTranslate();
  return (
    <Form method="post" className="grid gap-4">
      <FormErrors />
      <p className="max-w-measure">
        {t(
          "Moderators see your report once you have confirmed it. After two days without that, it is deleted.",
        )}
      </p>
      <p>
        <SubmitButton busy={t("Confirming…")}>{t("Confirm report")}</SubmitButton>
      </p>
    </Form>
  );
}

function Status({ it: { state, resolvedAt, outcome } }: { it: Route.ComponentProps["loaderData"] }) {
  const t = useTranslate();
  if (state === "decided")
    return (
      <Notice tone="good">
        <p className="font-semibold">
          <Rich text="Decided <0></0>" parts={{ 0: <Time at={resolvedAt!} /> }} />
        </p>
        <p>
          {outcome === "upheld"
            ? t("Your report was upheld. Thank you; we have acted on it.")
            : t("We reviewed your report and found no breach of the rules.")}
        </p>
      </Notice>
    );
  return (
    <Notice tone="good">
      <p className="font-semibold">{state === "in-progress" ? t("In progress") : t("Received")}</p>
      <p>
        {state === "in-progress"
          ? t("A moderator is reviewing your report. We email you the decision.")
          : t("Moderators will review your report. We email you the decision.")}
      </p>
    </Notice>
  );
}
