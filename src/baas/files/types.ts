import type { Database } from "#platform/database";
import type { Fetcher } from "#platform/fetcher";
import type { KeyedQueue } from "#platform/queue";
import type { Scanner } from "#platform/scanner";
import type { Storage } from "#platform/storage";

/** Callers with access without a grant: everyone, members, or only callers with the server key (`programs`). */
export type Audience = "everybody" | "members" | "programs";

export type FileRules = {
  readers: Audience;
  /** Callers that may add files anywhere, and change and remove their own. */
  writers: Audience;
  /** Whether everyone who may perform an action at a path may also grant it there. */
  sharedPermissions: boolean;
  /** Maximum bytes of one file. */
  fileBytes: number;
  /** Maximum bytes of all files together. */
  roomBytes: number;
  /** Maximum number of files and directories. */
  most: number;
};

/** The file store of API clients. */
export type Files = Pick<Database, "db" | "inTransaction"> & {
  storage: Storage;
  /** Virus scanner; null if none is configured. */
  scanner: Scanner | null;
  fetcher: Pick<Fetcher, "file">;
  rules: () => Promise<FileRules>;
  /** Queue for changes of the file tree by this process. */
  queue: KeyedQueue;
  /** Files whose parts this process is merging. `leftOver`: an append has arrived meanwhile. */
  merging: Map<string, { leftOver: boolean }>;
};

/** The caller in the form that the file store takes. */
export type Caller = { userId: string | null; roles: readonly string[]; server: boolean };

export const FILE_ACTIONS = ["READ", "WRITE", "DELETE"] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** Names from the root down; empty for the root itself. */
export type FilePath = readonly string[];

export type FileNode = {
  id: string;
  parentId: string | null;
  name: string;
  kind: "directory" | "file";
  ownerId: string | null;
  size: number;
  mime: string;
  version: string;
  createdAt: Date;
  updatedAt: Date;
};
export const ROOT_PATH: FilePath = [];
