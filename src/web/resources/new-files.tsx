import { redirect } from "react-router";
import { groupsFor } from "#community/groups";
import { addFile, NewFile } from "#community/resources";
import { resourceRules } from "#community/rules";
import { roomOf } from "#community/common";
import { dropFile, FILE_ENDINGS, freeFiles, mayUpload, mostBytes } from "#community/uploads";
import { invalid } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { asked, clean, parseForm } from "../forms.ts";
import { PageHead, pageMeta, RefusalNotice, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, signedIn, visitContext } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/new-files";
import { ChooseFiles } from "./choose-files.tsx";
import { DescribeFiles } from "./describe-files.tsx";
import { filesSent, MOST_FILES } from "./files-sent.ts";

export const middleware = [membersOnly];

const idsIn = (url: URL) =>
  asked(url, "files", MOST_FILES * 37)
    .split(",")
    .slice(0, MOST_FILES);

export const loader = reading(async ({ db, house, viewer, visit, url }) => {
  const me = signedIn(viewer);
  const [{ rows }, files, room, most] = await Promise.all([
    groupsFor(db, viewer, { tab: "mine" }),
    freeFiles(db, viewer, idsIn(url)),
    roomOf(db, me),
    mostBytes(house.settings),
  ]);
  const groups = rows
    .filter((group) => resourceRules.add(viewer, "file", group))
    .map(({ id, slug, name, visibility, membersCount }) => ({ id, slug, name, visibility, membersCount }));
  const wanted = asked(url, "group");
  return {
    files,
    groups,
    chosen: groups.find((group) => group.id === wanted || group.slug === wanted)?.id ?? "",
    forEveryone: resourceRules.add(viewer, "file", null),
    room,
    most,
    endings: FILE_ENDINGS,
    locale: visit.locale,
  };
});

const keep = acting(async ({ house, viewer, form, url }) => {
  const group = asked(url, "group");
  const dropped = form.get("drop");
  if (typeof dropped === "string") {
    await dropFile(house, viewer, dropped);
    return redirect(
      urls.newFiles({
        group,
        files: idsIn(url)
          .filter((id) => id !== dropped)
          .join(","),
      }),
    );
  }
  const ids = form.getAll("uploadId[]").map(String).slice(0, MOST_FILES);
  if (form.get("intent") !== "keep") return redirect(urls.newFiles({ group, files: ids.join(",") }));
  if (ids.length === 0) throw invalid("file", "Choose a file first.");
  const added = await house.database.inTransaction(async (tx) => {
    const made: { id: string }[] = [];
    for (const id of ids) made.push(await addFile(tx, viewer, parseForm(NewFile, aboutOne(form, id))));
    return made;
  });
  return redirect(added.length === 1 ? urls.resource(added[0]!.id) : urls.resources({ sort: "newest" }));
});

/** Form for one of the files: its own title and reason, and the shared fields. */
function aboutOne(form: FormData, id: string): FormData {
  const about = new FormData();
  for (const name of ["tags", "groupId", "language", "licence"]) about.set(name, String(form.get(name) ?? ""));
  for (const name of ["title", "why"]) about.set(name, clean(String(form.get(`${name}-${id}`) ?? "")));
  about.set("uploadId", id);
  return about;
}

/** Files are not read into memory with the rest of the form: they stream to disk. */
export const action = async (args: Route.ActionArgs) => {
  const { house, viewer } = args.context.get(visitContext);
  const { headers, url } = args.request;
  const formData = async () => filesSent(house, mayUpload(viewer), args.request);
  return keep({ ...args, request: { headers, url, formData } as Request });
};

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Add files"), hidden: true }));

export default function NewFiles({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { files, chosen } = loaderData;
  const to = (kind: string) => urls.newResource({ kind, group: chosen });
  return (
    <>
      <PageHead title={t("Add files")} lead={t("Something worth coming back to, with a word on why.")} />
      <Tabs
        label={t("Kind of resource")}
        tabs={[
          { to: to("link"), label: t("A link"), current: false },
          { to: urls.newFiles({ group: chosen }), label: t("Files"), current: true },
          { to: to("document"), label: t("A document"), current: false },
        ]}
      />
      <div className="my-5 empty:hidden">
        <RefusalNotice />
      </div>
      {files.length > 0 ? <DescribeFiles {...loaderData} /> : <ChooseFiles {...loaderData} />}
    </>
  );
}
