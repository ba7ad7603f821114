import {
  addCaseNote,
  addPersonNote,
  CaseInput,
  claimCase,
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
  RemovalUndo,
  undoRemoval,
} from "#community/moderation";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../form-parsing.ts";
import { urls } from "../urls.ts";

/** Runs a command on the case that the form names; returns the address of the next page. */
type CaseCommand = (tx: Tx, viewer: Viewer, form: FormData) => Promise<string>;

const backToCase = (form: FormData) => urls.case(String(form.get("caseId")));

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
    return `${backToCase(form)}#notes`;
  },
  "note-person": async (tx, viewer, form) => {
    await addPersonNote(tx, viewer, parseForm(NewPersonNote, form));
    return backToCase(form);
  },
  "delete-person-note": async (tx, viewer, form) => {
    await deletePersonNote(tx, viewer, parseForm(PersonNoteInput, form));
    return backToCase(form);
  },
  duplicate: async (tx, viewer, form) =>
    urls.case((await markDuplicate(tx, viewer, parseForm(Duplicate, form))).id),
  decide: async (tx, viewer, form) => {
    const decision = parseForm(Resolution, form);
    await resolveCase(tx, viewer, decision);
    return urls.moderation(decision.outcome === "removed" ? { removed: decision.caseId } : {});
  },
  undo: async (tx, viewer, form) => {
    await undoRemoval(tx, viewer, parseForm(RemovalUndo, form));
    return backToCase(form);
  },
};
