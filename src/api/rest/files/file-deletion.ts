import { removeFile, removeMatchingFiles } from "#baas/files";
import { z } from "zod";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";
import { assertMayChange, readFilePath } from "./file-requests.ts";
import { booleanParam } from "./file-download.ts";

export const FileMatchParams = z.object({
  pattern: z
    .string("must be given once")
    .min(1, "must select the files to remove, such as *.tmp")
    .default("*"),
  sub: booleanParam.default(false),
});

/**
 * Removes a file, or a directory with its contents. With `pattern` or `sub`, removes only the matching files
 * in a directory. For directories unknown parameters are refused, since a misspelled one would delete
 * everything in it; URLs of files may have any parameters.
 */
export async function removeFiles(call: Call): Promise<number> {
  const [path, { files }] = [readFilePath(call), call.app];
  const names = Object.keys(call.query);
  const isMatching = names.includes("pattern") || names.includes("sub");
  const unknown = names.find((name) => name !== "pattern" && name !== "sub");
  if (unknown === undefined && !isMatching) return removeFile(files, assertMayChange(call), path);
  if (unknown === undefined) {
    const { pattern, sub } = parseInput(FileMatchParams, call.query);
    return removeMatchingFiles(files, assertMayChange(call), path, { pattern, deep: sub });
  }
  if (isMatching) throw unknownParameterRefusal(unknown);
  return removeFile(files, assertMayChange(call), path, { fileOnly: true }).catch((error: unknown) => {
    throw error instanceof Refusal && error.reason === "invalid" ? unknownParameterRefusal(unknown) : error;
  });
}

const unknownParameterRefusal = (name: string) =>
  new Refusal(
    "invalid",
    msg("{place}: {what}", {
      place: name.slice(0, 80),
      what: msg("remove a directory whole, or by pattern and sub."),
    }),
    {
      kind: "bad-body",
    },
  );
