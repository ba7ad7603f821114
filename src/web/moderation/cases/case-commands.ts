import {
  addCaseNote,
  addPersonNote,
  CaseInput,
  claimCase,
  DecisionUndo,
  deletePersonNote,
  Duplicate,
  Handover,
  handOverCase,
  markDuplicate,
  NewCaseNote,
  NewPersonNote,
  PersonNoteInput,
  releaseCase,
  Resolution,
  resolveCase,
  undoDecision,
} from "#community/moderation";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { parseForm } from "../../form-parsing.ts";
import type { FormOutcome } from "../../notices/notice.ts";
import type { RequestContext } from "../../request-context.ts";
import { urls } from "../../urls.ts";
import { createDecisionNotice } from "./decision-notice.ts";

/** Runs a command on the case that the form names; returns the address of the next page, and its notice. */
type CaseCommand = (tx: Tx, viewer: Viewer, form: FormData, ctx: RequestContext) => Promise<FormOutcome>;

const backToCase = (form: FormData): FormOutcome => ({ to: urls.case(String(form.get("caseId"))) });

/** Commands on a case, by the form's `intent`. */
export const CASE_COMMANDS: Record<
  | "claim"
  | "release"
  | "hand-over"
  | "note"
  | "note-person"
  | "delete-person-note"
  | "duplicate"
  | "decide"
  | "undo",
  CaseCommand
> = {
  claim: async (tx, viewer, form) => {
    await claimCase(tx, viewer, parseForm(CaseInput, form));
    return backToCase(form);
  },
  release: async (tx, viewer, form) => {
    await releaseCase(tx, viewer, parseForm(CaseInput, form));
    return backToCase(form);
  },
  "hand-over": async (tx, viewer, form) => {
    await handOverCase(tx, viewer, parseForm(Handover, form));
    return backToCase(form);
  },
  note: async (tx, viewer, form) => {
    await addCaseNote(tx, viewer, parseForm(NewCaseNote, form));
    return { to: `${backToCase(form).to}#notes` };
  },
  "note-person": async (tx, viewer, form) => {
    await addPersonNote(tx, viewer, parseForm(NewPersonNote, form));
    return backToCase(form);
  },
  "delete-person-note": async (tx, viewer, form) => {
    await deletePersonNote(tx, viewer, parseForm(PersonNoteInput, form));
    return backToCase(form);
  },
  duplicate: async (tx, viewer, form) => ({
    to: urls.case((await markDuplicate(tx, viewer, parseForm(Duplicate, form))).id),
  }),
  decide: async (tx, viewer, form, ctx) => {
    const decision = parseForm(Resolution, form);
    await resolveCase(tx, viewer, decision);
    return { to: urls.moderation(), notice: createDecisionNotice(ctx, decision) };
  },
  undo: async (tx, viewer, form) => {
    await undoDecision(tx, viewer, parseForm(DecisionUndo, form));
    return { ...backToCase(form), notice: { message: msg("Undone.") } };
  },
};
