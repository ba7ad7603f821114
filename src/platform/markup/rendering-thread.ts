import { parentPort } from "node:worker_threads";
import { htmlOf } from "./index.ts";

/** Renders one text after the other, for `renderDocument`. */
parentPort!.on("message", (text: string) => parentPort!.postMessage(htmlOf(text)));
