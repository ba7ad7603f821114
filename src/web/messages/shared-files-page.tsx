import { getConversation, type SharedFile, listSharedFiles } from "#community/conversations";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam } from "../form-parsing.ts";
import { conversationName } from "../layouts/messages-sidebar.tsx";
import { useFormatSize } from "../resources/library/resource-kinds.tsx";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, Tabs, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/shared-files-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, params, url }) => {
  const conversation = await getConversation(db, viewer, params["conversationId"] ?? "");
  const what = readQueryParam(url, "what") === "files" ? ("files" as const) : ("pictures" as const);
  return {
    conversation,
    what,
    ...(await listSharedFiles(db, viewer, conversation, { what, after: readQueryParam(url, "after", 1000) })),
  };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Pictures and files"),
  hidden: true,
}));

/** All pictures and files sent in a conversation. */
export default function SharedFilesPage({
  loaderData: { conversation, what, rows, next },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { id } = conversation;
  return (
    <>
      <p className="mb-2">
        <ButtonLink kind="quiet" to={urls.conversation(id)}>
          {t("Back to conversation")}
        </ButtonLink>
      </p>
      <PageHeader title={t("Pictures and files")} lead={conversationName(conversation, t("Only you"))} />
      <Tabs
        label={t("Pictures and files")}
        tabs={[
          { to: urls.sentAlong(id), label: t("Pictures"), current: what === "pictures" },
          { to: urls.sentAlong(id, { what: "files" }), label: t("Files"), current: what === "files" },
        ]}
      />
      {rows.length === 0 && (
        <div className="mt-5">
          <EmptyState title={what === "files" ? t("No files yet.") : t("No pictures yet.")} />
        </div>
      )}
      {what === "files" ? <Files id={id} rows={rows} /> : <Pictures id={id} rows={rows} />}
      <NextPageLink
        to={next && urls.sentAlong(id, { what: what === "files" ? what : undefined, after: next })}
      />
    </>
  );
}

type Props = { id: string; rows: SharedFile[] };

function Pictures({ id, rows }: Props) {
  const t = useTranslate();
  return (
    <ul className="mt-5 grid grid-cols-2 gap-3 phone:grid-cols-3">
      {rows.map((sharedFile) => (
        <li key={sharedFile.id}>
          <Link
            to={urls.conversation(id, { at: sharedFile.seq, message: sharedFile.seq })}
            className="block text-small text-quiet"
          >
            <img
              src={urls.file(sharedFile.id)}
              alt={t("Picture from {name}", {
                name: sharedFile.mine ? t("You") : (sharedFile.by?.name ?? t("Former member")),
              })}
              width={sharedFile.width ?? undefined}
              height={sharedFile.height ?? undefined}
              loading="lazy"
              className="aspect-square w-full rounded-control object-cover"
            />
            <Time at={sharedFile.at} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Files({ id, rows }: Props) {
  const t = useTranslate();
  const size = useFormatSize();
  return (
    <ul className="mt-3">
      {rows.map((sharedFile) => (
        <li key={sharedFile.id} className="border-b border-line py-3 last:border-b-0">
          <a
            href={urls.file(sharedFile.id)}
            dir="auto"
            className="inline-block min-h-6 font-semibold break-all"
          >
            {sharedFile.fileName}
          </a>
          <p className="text-small text-quiet">
            {size(sharedFile.size)} ·{" "}
            {sharedFile.mine ? t("You") : (sharedFile.by?.name ?? t("Former member"))} ·{" "}
            <Link
              to={urls.conversation(id, { at: sharedFile.seq, message: sharedFile.seq })}
              className="text-quiet"
            >
              <Time at={sharedFile.at} />
            </Link>
          </p>
        </li>
      ))}
    </ul>
  );
}
