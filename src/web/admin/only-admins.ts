import { audit } from "#community/audit";
import { accountRules, type Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";
import type { House } from "../house.ts";

/** For everybody else there is nothing here. */
export function assertAdmin(viewer: Viewer): void {
  if (!accountRules.run(viewer)) throw notFound();
}

/** The same for what staff look after together. */
export function assertStaff(viewer: Viewer): void {
  if (!accountRules.lookAfter(viewer)) throw notFound();
}

/** Writes down what an admin has done to what is for programs, whose parts know nothing of people. What was refused is no deed. */
export const noted = (house: House, viewer: Viewer, act: string, id: string): Promise<unknown> =>
  house.database.inTransaction((tx) => audit(tx, viewer, { act, kind: "backend", id }));
