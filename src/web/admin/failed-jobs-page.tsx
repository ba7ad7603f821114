import { redirect } from "react-router";
import { listFailedJobs, deleteJob, retryJob } from "#platform/jobs";
import { listHandlerFailures, abandonHandler, retryHandler } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { parseForm, chooseAction } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { ActionForm, ConfirmActionForm } from "../people/action-form.tsx";
import { EmptyState, Menu, PageHeader, pageMeta, RefusalNotice, Tag, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/failed-jobs-page";
import { assertAdmin, auditAdminAction } from "./admin-access.ts";

/** A failed job, or a failed handler of a domain event. `reaction` is the handler's name; empty for a job. */
type FailedJob = {
  id: string;
  reaction: string;
  what: string;
  attempts: number;
  error: string;
  failedAt: Date;
  nextAt: Date | null;
};

export const loader = defineLoader(async ({ db, viewer, ctx }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  const reactions = (await listHandlerFailures(db)).map(({ outboxId, type, ...it }) => ({
    ...it,
    id: outboxId,
    what: `${type} → ${it.reaction}`,
  }));
  const jobs = (await listFailedJobs(db)).map(({ task, ...it }) => ({ ...it, reaction: "", what: task }));
  return { lines: [...reactions, ...jobs] };
});

const FailedJobInput = z.object({ id: z.string().regex(/^\d{1,18}$/), reaction: z.string().max(200) });
type FailedJobCommand = (
  app: Pick<WebContext, "database" | "db">,
  which: z.output<typeof FailedJobInput>,
) => Promise<number>;

const FAILED_JOB_COMMANDS: Record<string, FailedJobCommand> = {
  retry: ({ database, db }, { id, reaction }) =>
    reaction === ""
      ? retryJob(db, id)
      : database.inTransaction((tx) => retryHandler(tx, { outboxId: id, reaction })),
  discard: ({ database, db }, { id, reaction }) =>
    reaction === ""
      ? deleteJob(db, id)
      : database.inTransaction((tx) => abandonHandler(tx, { outboxId: id, reaction })),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  const which = parseForm(FailedJobInput, form);
  if ((await chooseAction(FAILED_JOB_COMMANDS, form)(app, which)) === 0)
    throw new Refusal("conflict", "This job has finished or is being retried.");
  await auditAdminAction(
    app,
    viewer,
    `failure.${String(form.get("intent"))}`,
    `${which.reaction || "job"} ${which.id}`,
  );
  return redirect(urls.failures());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Failed jobs"),
  hidden: true,
}));

export default function FailedJobsPage({ loaderData: { lines } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Failed jobs")}
        lead={t(
          "Background jobs that failed. They are retried automatically for some hours; after that they wait here.",
        )}
      />
      <RefusalNotice />
      {lines.length === 0 && <EmptyState title={t("No failed jobs.")} />}
      <ul>
        {lines.map((line) => (
          <FailedJobRow key={`${line.reaction} ${line.id}`} line={line} />
        ))}
      </ul>
    </>
  );
}

function FailedJobRow({
  line: { id, reaction, what, attempts, error, failedAt, nextAt },
}: {
  line: FailedJob;
}) {
  const t = useTranslate();
  const fields = { id, reaction };
  return (
    <li className="flex flex-wrap items-start gap-3 border-b border-line py-3" data-item>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <code dir="ltr" className="break-all">
            {what}
          </code>
          {!nextAt && <Tag>{t("Needs attention")}</Tag>}
        </p>
        <p dir="auto" className="text-small break-words">
          {error}
        </p>
        <p className="text-small text-quiet">
          {t("{count, plural, one {tried once} other {tried # times}}", { count: attempts })} ·{" "}
          <Time at={failedAt} />
          {nextAt && (
            <>
              {" · "}
              <Rich text="next retry <0></0>" parts={{ 0: <Time at={nextAt} /> }} />
            </>
          )}
        </p>
      </div>
      <ActionForm intent="retry" fields={fields} busy={t("Retrying…")} label={t("Retry {what}", { what })}>
        {t("Retry")}
      </ActionForm>
      <Menu
        label={t("Actions for {name}", { name: what })}
        summary={<i className="icon icon-ellipsis" aria-hidden />}
      >
        <ConfirmActionForm
          intent="discard"
          fields={fields}
          ask={t("Discard…")}
          consequence={t("The job will never run.")}
          busy={t("Discarding…")}
        >
          {t("Discard")}
        </ConfirmActionForm>
      </Menu>
    </li>
  );
}
