import type { ImportRun } from "#community/import-export";

export type ImportRunView = Pick<
  ImportRun,
  "id" | "format" | "fileName" | "state" | "counts" | "problems" | "createdAt"
> & {
  isCheck: boolean;
};

/**
 * A run as the browser receives it, in the list and on its page, without the path of its archive on the
 * server.
 */
export const toImportRunView = ({
  id,
  format,
  fileName,
  state,
  counts,
  problems,
  createdAt,
  begunAt,
}: ImportRun): ImportRunView => ({
  id,
  format,
  fileName,
  state,
  counts,
  problems,
  createdAt,
  isCheck: begunAt === null,
});
