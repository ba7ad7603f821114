import {
  copyFile,
  createDirectory,
  moveFile,
  setFileGrant,
  parsePath,
  renameFile,
  writeFile,
  writeFromUrl,
} from "#baas/files";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import { defineEndpoint } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";
import { WholeNumber } from "../shapes.ts";
import { fileUrl, assertMayChange, readFilePath, toFileCaller } from "./file-requests.ts";
import { removeFiles } from "./file-deletion.ts";
import { getFile } from "./file-download.ts";
import {
  Bytes,
  DirectoryAnswer,
  EncodedBytes,
  FILE_WRITE_PERMISSION,
  FileAnswer,
  FileQuery,
  GrantBody,
  FileMatchQuery,
  OverwriteQuery,
  Upload,
  UploadedFile,
} from "./file-shapes.ts";
import { readBodyBytes, readUpload, withUploadLimit } from "./file-upload.ts";

export { readFileRules } from "./file-rules.ts";

const RenameBody = z.object({ oldPathName: z.string(), newName: z.string() });
const MoveBody = z.object({ sourcePath: z.string(), targetPath: z.string() });

type WriteMode = Parameters<typeof writeFile>[4];
const writeMode = ({ query }: Pick<Call, "query">): WriteMode =>
  query["overwrite"] === "true" ? "replace" : "new";

const TEXT = "text/plain";
const beans = { "*": "seeds/beans.txt" };
const peas = { "*": "seeds/peas.txt" };
const moved = { sourcePath: "seeds/beans.txt", targetPath: "old" };

/** Stores the body of a call as a file. `as` is its encoding, which depends on the endpoint. */
async function writeBody(call: Call, how: WriteMode, as: "base64" | "raw"): Promise<string> {
  const to = readFilePath(call);
  await withUploadLimit(call, () =>
    writeFile(call.app.files, assertMayChange(call), to, async () => readBodyBytes(call, as), how),
  );
  return fileUrl(call, to);
}

/** Stores an upload: from a form, from a URL, as raw bytes, or as an empty file. */
async function writeUpload(call: Call, how: WriteMode): Promise<z.output<typeof UploadedFile>> {
  const { files } = call.app;
  const caller = assertMayChange(call);
  const to = readFilePath(call);
  const sent = await readUpload(call);
  if (sent.kind === "nothing") {
    if (how === "append")
      throw new Refusal("invalid", "Send the content to append: a file, or the url of one.", {
        kind: "bad-body",
      });
    await createDirectory(files, caller, to);
  } else if (sent.kind === "url") await writeFromUrl(files, caller, to, sent.url, how);
  else await withUploadLimit(call, () => writeFile(files, caller, to, sent.bring, how));
  return { fileURL: fileUrl(call, to) };
}

/** Endpoints for files. Missing directories are created. */
export const fileEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/files",
    summary: "Returns the contents of the root directory, or what `GET /files/{path}` returns of it.",
    // Pages request files often, so downloads have a limit of their own.
    uncounted: true,
    query: FileQuery,
    response: DirectoryAnswer,
    handle: getFile,
  }),
  defineEndpoint({
    method: "GET",
    path: "/files/*",
    summary:
      "Returns the bytes of a file, or a range of them; or the contents of a directory. With " +
      "`action=exists` whether the file or directory exists, with `action=count` the number of files.",
    uncounted: true,
    query: FileQuery,
    response: FileAnswer,
    example: { params: beans },
    handle: getFile,
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/binary/*",
    summary: "Stores a file from base64 text, or raw bytes of any other type; returns its address.",
    permission: FILE_WRITE_PERMISSION,
    streams: true,
    query: OverwriteQuery,
    body: EncodedBytes,
    response: z.string(),
    example: { params: peas, body: "cGVhcw==", contentType: TEXT },
    handle: (call) => writeBody(call, writeMode(call), "base64"),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/append/binary/*",
    summary:
      "Appends base64 text, or raw bytes of any other type, to a file, which is created if it does not " +
      "exist; returns its address.",
    permission: FILE_WRITE_PERMISSION,
    streams: true,
    body: EncodedBytes,
    response: z.string(),
    example: { params: beans, body: "IGFuZCBwZWFz", contentType: TEXT },
    handle: (call) => writeBody(call, "append", "base64"),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/append/*",
    summary: "Appends the text of the body to a file; returns its address.",
    permission: FILE_WRITE_PERMISSION,
    streams: true,
    body: Bytes,
    response: z.string(),
    example: { params: beans, body: " and peas", contentType: TEXT },
    handle: (call) => writeBody(call, "append", "raw"),
  }),
  defineEndpoint({
    method: "POST",
    path: "/files/append/*",
    summary: "Appends the file in a form, a file from a `url`, or raw bytes to a file.",
    permission: FILE_WRITE_PERMISSION,
    streams: true,
    body: Upload,
    response: UploadedFile,
    example: { params: beans, body: " and peas", contentType: TEXT },
    handle: (call) => writeUpload(call, "append"),
  }),
  defineEndpoint({
    method: "POST",
    path: "/files/*",
    summary:
      "Stores a file from a form, from a `url`, or from raw bytes; without a body, creates a directory.",
    permission: FILE_WRITE_PERMISSION,
    streams: true,
    query: OverwriteQuery,
    body: Upload,
    response: UploadedFile,
    example: { params: peas, body: "peas", contentType: TEXT },
    handle: (call) => writeUpload(call, writeMode(call)),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/rename",
    summary: "Renames the file or directory at `oldPathName` to `newName`; returns its address.",
    permission: FILE_WRITE_PERMISSION,
    body: RenameBody,
    response: z.string(),
    example: { body: { oldPathName: "seeds/beans.txt", newName: "bean.txt" } },
    handle: async (call) => {
      const { oldPathName, newName } = call.body;
      const caller = assertMayChange(call);
      return fileUrl(call, await renameFile(call.app.files, caller, parsePath(oldPathName), newName));
    },
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/move",
    summary:
      "Moves the file or directory at `sourcePath` into the directory `targetPath`, or else to this path; " +
      "returns its address.",
    permission: FILE_WRITE_PERMISSION,
    body: MoveBody,
    response: z.string(),
    example: { body: moved },
    handle: (call) => relocateFile(call, call.body, moveFile),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/copy",
    summary:
      "Copies the file or directory at `sourcePath` into the directory `targetPath`, or else to this path; " +
      "returns its address.",
    permission: FILE_WRITE_PERMISSION,
    body: MoveBody,
    response: z.string(),
    example: { body: moved },
    handle: (call) => relocateFile(call, call.body, copyFile),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/files/permissions/:type/*",
    summary: "Grants (`GRANT`) or denies (`DENY`) READ, WRITE or DELETE at a path and below it.",
    permission: FILE_WRITE_PERMISSION,
    body: GrantBody,
    example: { params: { type: "GRANT", ...beans }, body: { permission: "READ", role: "*" } },
    handle: (call) => {
      const type = call.params.type.toUpperCase();
      if (type !== "GRANT" && type !== "DENY")
        throw new Refusal("invalid", "The type must be GRANT or DENY.", { kind: "bad-body" });
      return setFileGrant(call.app.files, toFileCaller(call), readFilePath(call), {
        allowed: type === "GRANT",
        body: call.body,
      });
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/files/*",
    summary:
      "Deletes a file, or a directory with its contents; with `pattern` and `sub` only the matching files " +
      "of a directory. Returns their number.",
    permission: FILE_WRITE_PERMISSION,
    query: FileMatchQuery,
    response: WholeNumber,
    example: { params: { "*": "seeds" } },
    handle: removeFiles,
  }),
];

async function relocateFile(
  call: Call,
  { sourcePath, targetPath }: z.output<typeof MoveBody>,
  relocate: typeof moveFile,
): Promise<string> {
  const caller = assertMayChange(call);
  return fileUrl(call, await relocate(call.app.files, caller, parsePath(sourcePath), parsePath(targetPath)));
}
