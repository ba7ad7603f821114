import {
  ACTS,
  type Act,
  type Caller,
  type Files,
  makeDirectory,
  moveFile,
  nameOf,
  type Path,
  pathOf,
  permitFile,
  removeFile,
  renameFile,
  unpermitFile,
} from "#backend/files";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { clean } from "../forms.ts";

/** Admins see and do everything the server key allows. */
export const THE_HOUSE: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };

const line = (form: FormData, name: string) =>
  clean(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 2_000);

/** Shows a refused path beside the field in which it was typed. */
const beside =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || error.reason === "not-found") throw error;
    throw invalid(field, error.message);
  };

const within = async <T>(field: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    return beside(field)(error);
  }
};

type Verb = (files: Files, path: Path, form: FormData) => Promise<Path>;

/** Commands on a path, by the form's `intent`; each returns the path to show next. */
export const FILE_VERBS: Record<string, Verb> = {
  "make-directory": (files, path, form) =>
    within("directory", async () => {
      const made = pathOf([...path, nameOf(line(form, "directory"))].join("/"));
      await makeDirectory(files, THE_HOUSE, made);
      return made;
    }),
  rename: (files, path, form) => within("name", () => renameFile(files, THE_HOUSE, path, line(form, "name"))),
  move: (files, path, form) => within("to", () => moveFile(files, THE_HOUSE, path, pathOf(line(form, "to")))),
  remove: async (files, path) => {
    await removeFile(files, THE_HOUSE, path);
    return path.slice(0, -1);
  },
  permit: async (files, path, form) => {
    const who = line(form, "who");
    if (who === "") throw invalid("who", "Say who it is for.");
    const body = { permission: line(form, "act"), [line(form, "kind") === "user" ? "user" : "role"]: who };
    await within("who", () => permitFile(files, THE_HOUSE, path, { allowed: line(form, "allowed") === "yes", body }));
    return path;
  },
  unpermit: async (files, path, form) => {
    const [act, kind] = [line(form, "act"), line(form, "kind")];
    if (!ACTS.includes(act as Act) || (kind !== "user" && kind !== "role")) throw notFound();
    await unpermitFile(files, THE_HOUSE, path, { act: act as Act, kind, subject: line(form, "subject") });
    return path;
  },
};
