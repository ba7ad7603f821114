import { redirect } from "react-router";
import { failedJobs, giveJobUp, tryJobAgain } from "#platform/jobs";
import { failures, giveReactionUp, tryReactionAgain } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { parseForm, verbIn } from "../forms.ts";
import type { House } from "../house.ts";
import { Act, ConfirmAct } from "../people/act.tsx";
import { Empty, Menu, PageHead, pageMeta, RefusalNotice, Tag, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/failures";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

/** A failure of either kind: `reaction` is the handler, and empty for a job. */
type Line = { id: string; reaction: string; what: string; attempts: number; error: string; failedAt: Date; nextAt: Date | null };

export const loader = reading(async ({ db, viewer, visit }) => {
  assertAdmin(viewer);
  visit.headers["cache-control"] = "no-store";
  const reactions = (await failures(db)).map(({ outboxId, type, ...it }) => ({ ...it, id: outboxId, what: `${type} → ${it.reaction}` }));
  const jobs = (await failedJobs(db)).map(({ task, ...it }) => ({ ...it, reaction: "", what: task }));
  return { lines: [...reactions, ...jobs] };
});

const Which = z.object({ id: z.string().regex(/^\d{1,18}$/), reaction: z.string().max(200) });
type Deed = (house: House, which: z.output<typeof Which>) => Promise<number>;

const DEEDS: Record<string, Deed> = {
  again: ({ database, db }, { id, reaction }) =>
    reaction === "" ? tryJobAgain(db, id) : database.inTransaction((tx) => tryReactionAgain(tx, { outboxId: id, reaction })),
  "give-up": ({ database, db }, { id, reaction }) =>
    reaction === "" ? giveJobUp(db, id) : database.inTransaction((tx) => giveReactionUp(tx, { outboxId: id, reaction })),
};

export const action = acting(async ({ house, viewer, form }) => {
  assertAdmin(viewer);
  const which = parseForm(Which, form);
  if ((await verbIn(DEEDS, form)(house, which)) === 0) throw new Refusal("conflict", "That is done meanwhile, or being tried just now.");
  await noted(house, viewer, `failure.${String(form.get("intent"))}`, `${which.reaction || "job"} ${which.id}`);
  return redirect(urls.failures());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("What has failed"), hidden: true }));

export default function Failures({ loaderData: { lines } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("What has failed")}
        lead={t(
          "What was to be done in the background and was not. It is tried again by itself, for some hours; after that it waits for you.",
        )}
      />
      <RefusalNotice />
      {lines.length === 0 && <Empty title={t("Nothing has failed.")} />}
      <ul>
        {lines.map((line) => (
          <FailedLine key={`${line.reaction} ${line.id}`} line={line} />
        ))}
      </ul>
    </>
  );
}

function FailedLine({ line: { id, reaction, what, attempts, error, failedAt, nextAt } }: { line: Line }) {
  const t = useWords();
  const fields = { id, reaction };
  return (
    <li className="flex flex-wrap items-start gap-3 border-b border-line py-3" data-item>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <code dir="ltr" className="break-all">
            {what}
          </code>
          {!nextAt && <Tag>{t("Waits for you")}</Tag>}
        </p>
        <p dir="auto" className="text-small break-words">
          {error}
        </p>
        <p className="text-small text-quiet">
          {t("{count, plural, one {tried once} other {tried # times}}", { count: attempts })} · <Time at={failedAt} />
          {nextAt && (
            <>
              {" · "}
              <Rich text="tried again <0></0>" parts={[<Time at={nextAt} />]} />
            </>
          )}
        </p>
      </div>
      <Act intent="again" fields={fields} busy={t("Trying…")} label={t("Try {what} again", { what })}>
        {t("Try again")}
      </Act>
      <Menu label={t("More about {name}", { name: what })} summary={<i className="icon icon-ellipsis" aria-hidden />}>
        <ConfirmAct
          intent="give-up"
          fields={fields}
          ask={t("Give it up…")}
          consequence={t("What should have been done is never done.")}
          busy={t("Giving up…")}
        >
          {t("Yes, give it up")}
        </ConfirmAct>
      </Menu>
    </li>
  );
}
