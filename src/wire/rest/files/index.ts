import { copyFile, makeDirectory, moveFile, type Path, permitFile, pathOf, renameFile, writeFile, writeFromUrl } from "#backend/files";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { addressOf, mayChange, pathIn, whoIn } from "./asking.ts";
import { removeFiles } from "./deletion.ts";
import { getFile } from "./getting.ts";
import { bytesIn, sentIn, unhurried } from "./sending.ts";

export { fileRulesIn } from "./rules.ts";

const Renamed = z.object({ oldPathName: z.string(), newName: z.string() });
const Moved = z.object({ sourcePath: z.string(), targetPath: z.string() });

const overwrites = ({ query }: Call) => (query["overwrite"] === "true" ? ("replace" as const) : ("new" as const));

/** Route whose body is the file content; the path decides its encoding. */
const bytes = (path: string, how: (call: Call) => "new" | "replace" | "append", as: "base64" | "raw"): Route => ({
  method: "PUT",
  path,
  streams: true,
  handle: async (call) => {
    const to = pathIn(call);
    await unhurried(call, () => writeFile(call.house.files, mayChange(call), to, async () => bytesIn(call, as), how(call)));
    return addressOf(call, to);
  },
});

/** Upload by form, from a URL, as raw bytes, or empty. */
const sending = (path: string, how: (call: Call) => "new" | "replace" | "append"): Route => ({
  method: "POST",
  path,
  streams: true,
  handle: async (call) => {
    const { files } = call.house;
    const who = mayChange(call);
    const to = pathIn(call);
    const sent = await sentIn(call);
    if (sent.kind === "nothing") {
      if (how(call) === "append") throw new Refusal("invalid", "Say what is to be added: a file, or the url of one.", { kind: "bad-body" });
      await makeDirectory(files, who, to);
    } else if (sent.kind === "url") await writeFromUrl(files, who, to, sent.url, how(call));
    else await unhurried(call, () => writeFile(files, who, to, sent.bring, how(call)));
    return { fileURL: addressOf(call, to) };
  },
});

const elsewhere = (path: string, work: (call: Call) => Promise<Path>): Route => ({
  method: "PUT",
  path: `/files/${path}`,
  handle: async (call) => addressOf(call, await work(call)),
});

/** Files of apps. Missing directories are created. */
export const fileRoutes: Route[] = [
  // Files on pages are requested often and have a limit of their own.
  { method: "GET", path: "/files", uncounted: true, handle: getFile },
  { method: "GET", path: "/files/*", uncounted: true, handle: getFile },
  bytes("/files/binary/*", overwrites, "base64"),
  bytes("/files/append/binary/*", () => "append", "base64"),
  bytes("/files/append/*", () => "append", "raw"),
  sending("/files/append/*", () => "append"),
  sending("/files/*", overwrites),
  elsewhere("rename", (call) => {
    const { oldPathName, newName } = parsed(Renamed, call.body);
    return renameFile(call.house.files, mayChange(call), pathOf(oldPathName), newName);
  }),
  elsewhere("move", (call) => {
    const { sourcePath, targetPath } = parsed(Moved, call.body);
    return moveFile(call.house.files, mayChange(call), pathOf(sourcePath), pathOf(targetPath));
  }),
  elsewhere("copy", (call) => {
    const { sourcePath, targetPath } = parsed(Moved, call.body);
    return copyFile(call.house.files, mayChange(call), pathOf(sourcePath), pathOf(targetPath));
  }),
  {
    method: "PUT",
    path: "/files/permissions/:type/*",
    handle: (call) => {
      const type = call.params["type"]!.toUpperCase();
      if (type !== "GRANT" && type !== "DENY") throw new Refusal("invalid", "What is said is GRANT or DENY.", { kind: "bad-body" });
      return permitFile(call.house.files, whoIn(call), pathIn(call), { allowed: type === "GRANT", body: call.body });
    },
  },
  { method: "DELETE", path: "/files/*", handle: removeFiles },
];
