import type { ImportRun } from "#community/transfer";

export type ShownRun = Pick<ImportRun, "id" | "format" | "fileName" | "state" | "counts" | "problems" | "createdAt"> & { isCheck: boolean };

/** What the browser is told of a run, in the list of all and on its own page. Where its archive lies on the machine is not in it. */
export const shownRun = ({ id, format, fileName, state, counts, problems, createdAt, begunAt }: ImportRun): ShownRun => ({
  id,
  format,
  fileName,
  state,
  counts,
  problems,
  createdAt,
  isCheck: begunAt === null,
});
