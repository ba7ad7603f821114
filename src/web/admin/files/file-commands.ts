import { SERVER_CALLER } from "#baas/data";
import {
  FILE_ACTIONS,
  type Files,
  createDirectory,
  moveFile,
  parseName,
  type FilePath,
  parsePath,
  setFileGrant,
  removeFile,
  renameFile,
  removeFileGrant,
} from "#baas/files";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { isOneOf } from "#platform/objects";
import { cleanText } from "../../form-parsing.ts";

const readLine = (form: FormData, name: string) =>
  cleanText(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 2_000);

/** Shows the error of a path beside the field in which it was typed. */
const toFieldError =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || error.reason === "not-found") throw error;
    throw invalid(field, error.descriptor);
  };

const withFieldErrors = async <T>(field: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    return toFieldError(field)(error);
  }
};

type FileCommand = (files: Files, path: FilePath, form: FormData) => Promise<FilePath>;

/** Commands on a path, by the form's `intent`; each returns the path to show next. */
export const FILE_COMMANDS: Record<string, FileCommand> = {
  "make-directory": (files, path, form) =>
    withFieldErrors("directory", async () => {
      const made = parsePath([...path, parseName(readLine(form, "directory"))].join("/"));
      await createDirectory(files, SERVER_CALLER, made);
      return made;
    }),
  rename: (files, path, form) =>
    withFieldErrors("name", () => renameFile(files, SERVER_CALLER, path, readLine(form, "name"))),
  move: (files, path, form) =>
    withFieldErrors("to", () => moveFile(files, SERVER_CALLER, path, parsePath(readLine(form, "to")))),
  remove: async (files, path) => {
    await removeFile(files, SERVER_CALLER, path);
    return path.slice(0, -1);
  },
  "save-permission": async (files, path, form) => {
    const who = readLine(form, "who");
    if (who === "") throw invalid("who", "Add a recipient.");
    const body = {
      permission: readLine(form, "act"),
      [readLine(form, "kind") === "user" ? "user" : "role"]: who,
    };
    await withFieldErrors("who", () =>
      setFileGrant(files, SERVER_CALLER, path, { allowed: readLine(form, "allowed") === "yes", body }),
    );
    return path;
  },
  "delete-permission": async (files, path, form) => {
    const [act, kind] = [readLine(form, "act"), readLine(form, "kind")];
    if (!isOneOf(FILE_ACTIONS, act) || (kind !== "user" && kind !== "role")) throw notFound();
    await removeFileGrant(files, SERVER_CALLER, path, {
      act,
      kind,
      subject: readLine(form, "subject"),
    });
    return path;
  },
};
