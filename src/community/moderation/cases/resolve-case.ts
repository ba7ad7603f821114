import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { overruleSanction } from "#community/accounts";
import { writeAudit } from "#community/audit";
import { restoreReportedPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { restoreReportedResource } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import type { Resolution } from "../report-forms.ts";
import { lockPendingReports } from "../report-locks.ts";
import { CASE_MEASURES } from "./case-measures.ts";
import { assertCaseOpen, type Case, findCase, listCitableRules, lockCase } from "./find-case.ts";
import type { CaseAction } from "./list-cases.ts";
import { readStateBefore } from "./state-before.ts";

type Input = z.output<typeof Resolution>;
type Decision = { outcome: "upheld" | "rejected"; action: CaseAction; answer: string };

/**
 * Decides a case with all its open reports, with a note for moderators. On request it removes the content or
 * asks its author for changes, warns, restricts or bans the author or stores the note as a note on them, locks or
 * slows down the discussion, or archives the group; unless content is removed or returned, a hidden post or
 * resource becomes visible again. For an appeal, it restores the content or lifts the sanction, or leaves it
 * unchanged.
 * @throws `not-found`, `not-allowed`, `invalid` on `outcome` and `reason`, `conflict` if another moderator
 * decided first or is working on it
 */
export async function resolveCase(tx: Tx, viewer: Viewer, input: Input): Promise<void> {
  const waiting = await lockPendingReports(tx, { reportId: input.caseId });
  await lockCase(tx, input.caseId);
  const it = await findCase(tx, viewer, input.caseId);
  assertCaseOpen(it);
  if (it.assignee && it.assignee.id !== viewer.id)
    throw new Refusal(
      "conflict",
      msg("{name} is working on this case. Claim it first to decide it.", { name: it.assignee.name }),
    );
  const stateBefore = await readStateBefore(tx, it, input.outcome);
  const decide = it.appeal ? decideAppeal : decideReports;
  const { outcome, action, answer } = await decide(tx, viewer, it, await citeRule(tx, viewer, it, input));
  // A note on the person is for staff: the note of the reports and the audit log are read in the group too.
  const note = action === "noted" ? "" : input.note;
  await run(
    tx,
    sql`update cases set state = ${it.appeal || outcome === "upheld" ? "resolved" : "rejected"},
      action = ${action}, rule = case when ${it.appeal}::boolean then rule else ${input.rule ?? ""} end,
      reason = case when ${it.appeal}::boolean then reason else ${input.reason.trim()} end,
      state_before = ${stateBefore && JSON.stringify(stateBefore)}::jsonb,
      resolved_at = ${tx.now},
      resolved_by = ${viewer.id}::uuid
      where id = ${it.caseId}`,
  );
  await run(
    tx,
    sql`update reports set resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid, outcome = ${outcome},
      note = ${note}, answer = ${answer}
        where id = any(${waiting.map(({ id }) => id)}::uuid[])`,
  );
  await writeAudit(tx, viewer, {
    act: `report.${outcome}`,
    kind: "report",
    id: it.id,
    reason: note || null,
    ...(it.groupId && {
      details: { groupId: it.groupId, action: action === "noted" ? "none" : action },
    }),
  });
  for (const { id, reporterId } of waiting)
    await emit(tx, { type: "report.resolved", reportId: id, outcome, personId: reporterId, by: viewer.id });
}

/**
 * Puts the cited rule in front of the reason. The author reads both.
 * @throws `invalid` on `rule` for a text that is not a rule in force of the group, or for staff of the community
 */
async function citeRule(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<Input> {
  const { rule = "", reason } = input;
  if (rule === "") return input;
  const { group, site } = await listCitableRules(tx, viewer, it);
  if (!group.includes(rule) && !site.includes(rule))
    throw invalid("rule", "This rule is no longer in force. Choose a rule from the list.");
  return { ...input, reason: `${rule}\n${reason}`.trim() };
}

async function decideReports(tx: Tx, viewer: Viewer, it: Case, input: Input): Promise<Decision> {
  const { outcome } = input;
  if (outcome === "restored") throw invalid("outcome", "Choose a decision.");
  await CASE_MEASURES[outcome](tx, viewer, it, input);
  if (outcome === "rejected") return { outcome, action: "none", answer: "" };
  return { outcome: "upheld", action: outcome === "upheld" ? "none" : outcome, answer: "" };
}

/** Restores the content or leaves it removed. The author receives the reason. */
async function decideAppeal(
  tx: Tx,
  viewer: Viewer,
  it: Case,
  { outcome, reason: words }: Input,
): Promise<Decision> {
  if (outcome !== "restored" && outcome !== "rejected")
    throw invalid("outcome", "Decide whether the content is restored.");
  const reason = words.trim();
  if (reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  const { place } = it;
  const me = requireSignedIn(viewer);
  if (place?.kind === "person") await decideSanctionAppeal(tx, me, it, { outcome, reason });
  else if (outcome === "restored") {
    if (!place) throw new Refusal("gone", "The removed content is no longer stored.");
    await (place.postId === null
      ? restoreReportedResource(tx, me, { resourceId: place.id, reason: words })
      : restoreReportedPost(tx, me, { postId: place.postId, reason: words }));
  }
  return outcome === "restored"
    ? { outcome: "upheld", action: "restored", answer: reason }
    : { outcome, action: "kept", answer: reason };
}

/** Lifts the sanction or leaves it unchanged; the person gets a mail. */
async function decideSanctionAppeal(
  tx: Tx,
  me: SignedIn,
  { id, place, removal }: Case,
  { outcome, reason }: { outcome: "restored" | "rejected"; reason: string },
): Promise<void> {
  if (!removal) throw new Refusal("conflict", "This restriction or suspension has already ended.");
  const personId = place!.id;
  if (outcome === "restored") await overruleSanction(tx, me, { personId, reason });
  else await emit(tx, { type: "person.appeal-declined", personId, reportId: id, by: me.id });
}
