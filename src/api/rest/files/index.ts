import {
  copyFile,
  createDirectory,
  moveFile,
  type FilePath,
  setFileGrant,
  parsePath,
  renameFile,
  writeFile,
  writeFromUrl,
} from "#baas/files";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";
import { fileUrl, assertMayChange, readFilePath, fileCaller } from "./file-requests.ts";
import { removeFiles } from "./file-deletion.ts";
import { getFile } from "./file-download.ts";
import { readBodyBytes, readUpload, withUploadLimit } from "./file-upload.ts";

export { readFileRules } from "./file-rules.ts";

const RenameBody = z.object({ oldPathName: z.string(), newName: z.string() });
const MoveBody = z.object({ sourcePath: z.string(), targetPath: z.string() });

const writeMode = ({ query }: Call) =>
  query["overwrite"] === "true" ? ("replace" as const) : ("new" as const);

/** Route whose body is the file content; the path decides its encoding. */
const bytesRoute = (
  path: string,
  how: (call: Call) => "new" | "replace" | "append",
  as: "base64" | "raw",
): Route => ({
  method: "PUT",
  path,
  streams: true,
  handle: async (call) => {
    const to = readFilePath(call);
    await withUploadLimit(call, () =>
      writeFile(call.app.files, assertMayChange(call), to, async () => readBodyBytes(call, as), how(call)),
    );
    return fileUrl(call, to);
  },
});

/** Upload by form, from a URL, as raw bytes, or empty. */
const uploadRoute = (path: string, how: (call: Call) => "new" | "replace" | "append"): Route => ({
  method: "POST",
  path,
  streams: true,
  handle: async (call) => {
    const { files } = call.app;
    const caller = assertMayChange(call);
    const to = readFilePath(call);
    const sent = await readUpload(call);
    if (sent.kind === "nothing") {
      if (how(call) === "append")
        throw new Refusal("invalid", "Send the content to append: a file, or the url of one.", {
          kind: "bad-body",
        });
      await createDirectory(files, caller, to);
    } else if (sent.kind === "url") await writeFromUrl(files, caller, to, sent.url, how(call));
    else await withUploadLimit(call, () => writeFile(files, caller, to, sent.bring, how(call)));
    return { fileURL: fileUrl(call, to) };
  },
});

const moveRoute = (path: string, work: (call: Call) => Promise<FilePath>): Route => ({
  method: "PUT",
  path: `/files/${path}`,
  handle: async (call) => fileUrl(call, await work(call)),
});

/** Files of apps. Missing directories are created. */
export const fileRoutes: Route[] = [
  // Files on pages are requested often and have a limit of their own.
  { method: "GET", path: "/files", uncounted: true, handle: getFile },
  { method: "GET", path: "/files/*", uncounted: true, handle: getFile },
  bytesRoute("/files/binary/*", writeMode, "base64"),
  bytesRoute("/files/append/binary/*", () => "append", "base64"),
  bytesRoute("/files/append/*", () => "append", "raw"),
  uploadRoute("/files/append/*", () => "append"),
  uploadRoute("/files/*", writeMode),
  moveRoute("rename", (call) => {
    const { oldPathName, newName } = parseInput(RenameBody, call.body);
    return renameFile(call.app.files, assertMayChange(call), parsePath(oldPathName), newName);
  }),
  moveRoute("move", (call) => {
    const { sourcePath, targetPath } = parseInput(MoveBody, call.body);
    return moveFile(call.app.files, assertMayChange(call), parsePath(sourcePath), parsePath(targetPath));
  }),
  moveRoute("copy", (call) => {
    const { sourcePath, targetPath } = parseInput(MoveBody, call.body);
    return copyFile(call.app.files, assertMayChange(call), parsePath(sourcePath), parsePath(targetPath));
  }),
  {
    method: "PUT",
    path: "/files/permissions/:type/*",
    handle: (call) => {
      const type = call.params["type"]!.toUpperCase();
      if (type !== "GRANT" && type !== "DENY")
        throw new Refusal("invalid", "The type must be GRANT or DENY.", { kind: "bad-body" });
      return setFileGrant(call.app.files, fileCaller(call), readFilePath(call), {
        allowed: type === "GRANT",
        body: call.body,
      });
    },
  },
  { method: "DELETE", path: "/files/*", handle: removeFiles },
];
