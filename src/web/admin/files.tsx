import { Link, redirect } from "react-router";
import { findFile, grantsAt, listFiles, type Path, pathOf, usedBy } from "#backend/files";
import { ownRoles, SYSTEM_ROLES } from "#community/people";
import { notFound } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import { asked, verbIn } from "../forms.ts";
import type { House } from "../house.ts";
import { useSize } from "../resources/kinds.tsx";
import { ButtonLink, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, visitContext } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/files";
import { FileForms, NewInDirectory } from "./file-forms.tsx";
import { FileList } from "./file-list.tsx";
import { FilePermissions } from "./file-permissions.tsx";
import { filesOfProgramsSent } from "./file-sent.ts";
import { FILE_VERBS, THE_HOUSE } from "./file-verbs.ts";
import { inAddress } from "./file-path.ts";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

/** Entries per page of a directory. */
const PAGE = 50;

export const loader = reading(async ({ db, house, viewer, url }) => {
  assertAdmin(viewer);
  const path = pathOf(asked(url, "path", 2_000));
  const node = await findFile(house.files, THE_HOUSE, path);
  const offset = Math.min(Math.max(Number(asked(url, "from", 6)) || 0, 0), 100_000);
  const isFile = node?.kind === "file";
  const entries = isFile ? [] : await listFiles(house.files, THE_HOUSE, path, { most: PAGE + 1, offset });
  const { appId, clientKey } = house.publicConfig;
  return {
    path,
    node: node && { name: node.name, kind: node.kind, size: node.size, mime: node.mime, updatedAt: node.updatedAt },
    publicUrl: isFile ? `/${appId}/${clientKey}/files/${path.map(encodeURIComponent).join("/")}` : null,
    entries: entries.slice(0, PAGE).map(({ name, kind, size, updatedAt }) => ({ name, kind, size, updatedAt })),
    before: offset > 0 ? Math.max(offset - PAGE, 0) : null,
    after: entries.length > PAGE ? offset + PAGE : null,
    grants: await grantsAt(house.files, THE_HOUSE, path),
    roles: [...SYSTEM_ROLES, ...(await ownRoles(db, viewer)).map(({ name }) => name)],
    used: await usedBy(house.files),
    room: await house.files.rules(),
  };
});

export type FilesData = Awaited<ReturnType<typeof loader>>;

const doing = acting(async ({ house, viewer, form, url }) => {
  assertAdmin(viewer);
  const path = pathOf(asked(url, "path", 2_000));
  // The files of this form are stored already.
  if (form.has("sent")) return redirect(urls.programFiles({ path: inAddress(path) }));
  const intent = String(form.get("intent"));
  const verb = verbIn(FILE_VERBS, form);
  const next = await verb(house.files, path, form);
  await noted(house, viewer, `file.${intent}`, `/${path.join("/")}`.slice(0, 200));
  return redirect(urls.programFiles({ path: inAddress(next) }));
});

/** Files are not read into memory with the rest of the form: they stream into storage. */
export const action = async (args: Route.ActionArgs) => {
  const { house, viewer } = args.context.get(visitContext);
  const { headers, url } = args.request;
  const formData = () => sent(house, viewer, args.request, pathOf(asked(new URL(url), "path", 2_000)));
  return doing({ ...args, request: { headers, url, formData } as Request });
};

async function sent(house: House, viewer: Viewer, request: Request, path: Path): Promise<FormData> {
  assertAdmin(viewer);
  const brings = (request.headers.get("content-type") ?? "").startsWith("multipart/form-data");
  if (brings && (await findFile(house.files, THE_HOUSE, path))?.kind === "file") throw notFound();
  const form = await filesOfProgramsSent(house, path, request);
  if (brings) await noted(house, viewer, "file.upload", `/${path.join("/")}`.slice(0, 200));
  return form;
}

export const meta = pageMeta<FilesData>((data, t) => ({ title: data?.path.at(-1) ?? t("Files of programs"), hidden: true }));

export default function FilesPage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  const { path, node, used, room } = data;
  const size = useSize();
  // Resets the forms when the path or its entry changes.
  const at = `/${path.join("/")}`;
  return (
    <>
      <PageHead
        title={node ? <bdi dir="auto">{node.name}</bdi> : t("Files of programs")}
        lead={
          node
            ? undefined
            : t("{used} of {room} are taken, by {count, plural, one {# file or directory} other {# files and directories}}.", {
                used: size(used.bytes),
                room: size(room.roomBytes),
                count: used.count,
              })
        }
        actions={<ButtonLink to={urls.programs()}>{t("Programs and their keys")}</ButtonLink>}
      />
      <WayThere path={path} />
      <RefusalNotice />
      {node?.kind !== "file" && <FileList data={data} />}
      {node?.kind !== "file" && <NewInDirectory key={`new ${used.count} ${at}`} />}
      <FileForms key={`itself ${at}`} data={data} />
      <FilePermissions key={`access ${data.grants.length} ${at}`} data={data} />
    </>
  );
}

function WayThere({ path }: { path: Path }) {
  const t = useWords();
  if (path.length === 0) return null;
  return (
    <nav aria-label={t("Where you are")} className="mb-4 text-small break-words">
      <Link to={urls.programFiles()}>{t("Files of programs")}</Link>
      {path.slice(0, -1).map((name, at) => (
        <span key={path.slice(0, at + 1).join("/")}>
          {" / "}
          <Link to={urls.programFiles({ path: inAddress(path.slice(0, at + 1)) })}>
            <bdi dir="auto">{name}</bdi>
          </Link>
        </span>
      ))}
    </nav>
  );
}
