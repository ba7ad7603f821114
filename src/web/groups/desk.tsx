import { redirect } from "react-router";
import { appointHeir, declineHeir, groupsDesk, letGroupIn, OnSomebody, Turning, turnGroupDown } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { membersOnly } from "../auth.ts";
import { parseForm, verbIn } from "../forms.ts";
import { Empty, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/desk";
import { OrphanedLine, PendingLine } from "./desk-lines.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer }) => groupsDesk(db, viewer));

const GroupOnly = z.object({ groupId: z.string() });
const DEEDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<void>> = {
  "let-in": (tx, viewer, form) => letGroupIn(tx, viewer, parseForm(GroupOnly, form)),
  "turn-down": (tx, viewer, form) => turnGroupDown(tx, viewer, parseForm(Turning, form)),
  appoint: (tx, viewer, form) => appointHeir(tx, viewer, parseForm(OnSomebody, form)),
  leave: (tx, viewer, form) => declineHeir(tx, viewer, parseForm(GroupOnly, form)),
};

export const action = acting(async ({ house, viewer, form }) => {
  const deed = verbIn(DEEDS, form);
  await house.database.inTransaction((tx) => deed(tx, viewer, form));
  return redirect(urls.groupsDesk());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Groups that wait"), hidden: true }));

export default function Desk({ loaderData: { pending, orphaned } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Groups that wait")} lead={t("New groups to let in, and groups that ask for an owner.")} />
      <RefusalNotice />
      {pending.length + orphaned.length === 0 && <Empty title={t("Nothing is waiting.")} />}
      <ul className="grid gap-4">
        {pending.map((group) => (
          <PendingLine key={group.id} group={group} />
        ))}
        {orphaned.map((group) => (
          <OrphanedLine key={group.id} group={group} />
        ))}
      </ul>
    </>
  );
}
