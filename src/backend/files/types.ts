import type { Database } from "#platform/database";
import type { Fetcher } from "#platform/fetcher";
import type { Scanner } from "#platform/scanner";
import type { Storage } from "#platform/storage";

/** Who may do something where nothing is said of a path: everybody, whoever is signed in, or the server's key alone. */
export type Audience = "everybody" | "members" | "programs";

/** What holds for all files. */
export type FileRules = {
  readers: Audience;
  /** Members add anywhere, and change and remove what is theirs. */
  writers: Audience;
  /** Whoever may do something where nothing is said of a path may say there who else does. */
  sharedPermissions: boolean;
  /** Of one file, of all of them together, and how many files and directories there may be. */
  fileBytes: number;
  roomBytes: number;
  most: number;
};

/** The files of programs. */
export type Files = Pick<Database, "db" | "inTransaction"> & {
  storage: Storage;
  /** What looks at files before anybody gets them; null where there is none. */
  scanner: Scanner | null;
  fetcher: Pick<Fetcher, "file">;
  rules: () => Promise<FileRules>;
  /** The end of the changes that this process is about to make. */
  turn: { last: Promise<unknown> };
  /** Files whose parts this process is putting together. */
  merging: Map<string, { leftOver: boolean }>;
};

/** Who asks, as files know people. */
export type Caller = { userId: string | null; roles: readonly string[]; server: boolean };

export const ACTS = ["READ", "WRITE", "DELETE"] as const;
export type Act = (typeof ACTS)[number];

/** Names from the top to what is meant; none is the top itself. */
export type Path = readonly string[];

/** A directory or a file. */
export type Node = {
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
export const TOP: Path = [];
