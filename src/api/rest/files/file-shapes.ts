import { FileGrantInput } from "#baas/files";
import { z } from "zod";
import { parsedByHandler, type Permission } from "../endpoint.ts";
import { WholeNumber } from "../shapes.ts";
import { FileMatchParams } from "./file-deletion.ts";
import { CountParams } from "./file-download.ts";
import { UrlUpload } from "./file-upload.ts";

/** No check before the body is read: the command checks the permissions of the path. */
export const FILE_WRITE_PERMISSION: Permission = {
  name: "callers whom the permissions of the path admit, by default the server key",
  caller: "server key",
  refusal: { status: 403, code: 403 },
};

/**
 * The handlers parse this query after the permission check, so that errors reveal nothing about a path to a
 * caller who may not read it.
 */
export const FileQuery = parsedByHandler(
  CountParams.extend({ action: z.enum(["exists", "count"]).optional() }),
);
export const OverwriteQuery = parsedByHandler(z.object({ overwrite: z.enum(["true", "false"]).optional() }));
export const FileMatchQuery = parsedByHandler(FileMatchParams);
export const GrantBody = parsedByHandler(FileGrantInput);

/** A body that is not JSON. Handlers read it as a stream. */
export const Bytes = z.unknown().meta({ contentType: "*/*", description: "The bytes." });
const Base64 = z.unknown().meta({ contentType: "text/plain", type: "string", contentEncoding: "base64" });
const FileForm = z.unknown().meta({
  contentType: "multipart/form-data",
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
});
export const EncodedBytes = z.union([Base64, Bytes]);
export const Upload = z.union([FileForm, parsedByHandler(UrlUpload), Bytes]);

const FileList = z.array(
  z
    .object({
      name: z.string(),
      createdOn: z.number(),
      updatedOn: z.number(),
      publicUrl: z.string(),
      url: z.string(),
      size: WholeNumber.nullable(),
    })
    .meta({ id: "FileEntry" }),
);
export const FileAnswer = z.union([FileList, z.boolean(), WholeNumber, Bytes]);
export const DirectoryAnswer = z.union([FileList, z.boolean(), WholeNumber]);
export const UploadedFile = z.object({ fileURL: z.string() });
