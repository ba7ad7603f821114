import { createHash } from "node:crypto";

/** Distinguishes the Message-IDs of several recipients without revealing who they are. */
export const hashRecipient = (personId: string): string =>
  createHash("sha256").update(`mail:${personId}`).digest("hex").slice(0, 12);
