import type { ImportRun } from "#community/transfer";

export type ShownRun = Pick<ImportRun, "id" | "format" | "fileName" | "state" | "counts" | "problems" | "createdAt"> & { isCheck: boolean };

/**
 * A run as the browser receives it, in the list and on its page, without the path of its archive on the
 * server.
 */
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
