import type { Database } from "#platform/database";
import type { Fetcher } from "#platform/fetcher";
import type { KeyedQueue } from "#platform/queue";
import type { Scanner } from "#platform/scanner";
import type { Storage } from "#platform/storage";

/** The default access without a grant: everyone, members, or the server key only. */
export type Audience = "everybody" | "members" | "programs";

export type FileRules = {
  readers: Audience;
  /** Members add anywhere, and change and remove what is theirs. */
  writers: Audience;
  /** Without a grant at a path, everyone who may do something there may grant it. */
  sharedPermissions: boolean;
  /** Bytes of one file, bytes of all files, and the number of files and directories. */
  fileBytes: number;
  roomBytes: number;
  most: number;
};

/** The file store of API clients. */
export type Files = Pick<Database, "db" | "inTransaction"> & {
  storage: Storage;
  /** Virus scanner; null if none is configured. */
  scanner: Scanner | null;
  fetcher: Pick<Fetcher, "file">;
  rules: () => Promise<FileRules>;
  /** Changes of this process. */
  queue: KeyedQueue;
  /** Files whose parts this process is merging. */
  merging: Map<string, { leftOver: boolean }>;
};

/** The caller as the file store knows them. */
export type Caller = { userId: string | null; roles: readonly string[]; server: boolean };

export const FILE_ACTIONS = ["READ", "WRITE", "DELETE"] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** Names from the root; empty for the root itself. */
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
