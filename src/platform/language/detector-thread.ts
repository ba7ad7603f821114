import { parentPort } from "node:worker_threads";
import { eld } from "eld/extrasmall";

/** Answers each text with a score per language (0 to 1). */
parentPort!.on("message", ({ id, text }: { id: number; text: string }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread takes no target origin
  parentPort!.postMessage({ id, scores: eld.detect(text).getScores() });
});
