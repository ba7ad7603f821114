import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";

/** Renders one text after another, for `renderDocument`. */
parentPort!.on("message", (text: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread takes no target origin
  parentPort!.postMessage(renderMarkdown(text));
});
