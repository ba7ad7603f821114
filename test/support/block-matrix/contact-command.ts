import { sql, type Tx } from "#platform/database";
import type { Encounter } from "./encounters.ts";

export type ContactCommand = {
  /** Runs the command as `me`. */
  act: (tx: Tx, at: Encounter) => Promise<unknown>;
  /**
   * SQL condition that is true when the command reached the other person. Commands without a condition reach
   * the person if they succeed.
   */
  landed?: (at: Encounter) => ReturnType<typeof sql>;
  /** Setup for the command, which runs before the block. */
  before?: (tx: Tx, at: Encounter) => Promise<unknown>;
};

/** Texts of a message or discussion that a command sends. */
export const words = { title: "About the shed", body: "The lock is broken." };
