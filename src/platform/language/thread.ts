import { parentPort } from "node:worker_threads";
import { eld } from "eld/extrasmall";

/** Answers each text with how much it looks like each language, from 0 to 1. */
parentPort!.on("message", ({ id, text }: { id: number; text: string }) => {
  parentPort!.postMessage({ id, scores: eld.detect(text).getScores() });
});
