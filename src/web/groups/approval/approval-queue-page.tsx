import { redirect } from "react-router";
import {
  appointOwner,
  declineOwnerRequest,
  getGroupApprovalQueue,
  approvePendingGroup,
  GroupPersonInput,
  GroupDecline,
  declinePendingGroup,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm, chooseAction } from "../../form-parsing.ts";
import { EmptyState, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/approval-queue-page";
import { OrphanedGroupRow, PendingGroupRow } from "./approval-queue-rows.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer }) => getGroupApprovalQueue(db, viewer));

const GroupInput = z.object({ groupId: z.string() });
const QUEUE_COMMANDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<void>> = {
  approve: (tx, viewer, form) => approvePendingGroup(tx, viewer, parseForm(GroupInput, form)),
  decline: (tx, viewer, form) => declinePendingGroup(tx, viewer, parseForm(GroupDecline, form)),
  appoint: (tx, viewer, form) => appointOwner(tx, viewer, parseForm(GroupPersonInput, form)),
  leave: (tx, viewer, form) => declineOwnerRequest(tx, viewer, parseForm(GroupInput, form)),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  const command = chooseAction(QUEUE_COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, form));
  return redirect(urls.groupsDesk());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Groups awaiting approval"),
  hidden: true,
}));

export default function ApprovalQueuePage({ loaderData: { pending, orphaned } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Groups awaiting approval")}
        lead={t("New groups awaiting approval, and groups that need an owner.")}
      />
      <RefusalNotice />
      {pending.length + orphaned.length === 0 && <EmptyState title={t("Nothing to do.")} />}
      <ul className="grid gap-4">
        {pending.map((group) => (
          <PendingGroupRow key={group.id} group={group} />
        ))}
        {orphaned.map((group) => (
          <OrphanedGroupRow key={group.id} group={group} />
        ))}
      </ul>
    </>
  );
}
