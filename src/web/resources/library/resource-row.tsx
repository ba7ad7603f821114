import type { ResourceCard } from "#community/resources";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { Tag, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import { KindIcon, useResourceSummary } from "./resource-kinds.tsx";
import { Link } from "../../ui/navigation/link.tsx";

/** A resource in the library: kind, reason and audience. */
export function ResourceRow({ row }: { row: ResourceCard }) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  const nature = useResourceSummary();
  const { audience } = useGroupTexts();
  return (
    <li className="flex gap-3 border-b border-line py-4 last:border-b-0" data-item>
      <span
        className="mt-0.5 inline-flex size-9 flex-none items-center justify-center rounded-control bg-sunken
        text-quiet"
      >
        {row.file?.thumbnail ? (
          <img
            src={urls.thumbnail(row.file.id)}
            alt=""
            loading="lazy"
            className="size-full rounded-control object-cover"
          />
        ) : (
          <KindIcon kind={row.kind} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="font-serif text-read font-semibold leading-6">
          <Link
            to={urls.resource(row.id)}
            {...titleAttributes(row.language, row.title)}
            className="break-words text-ink"
          >
            {row.title}
          </Link>
        </h3>
        <p className="text-small text-quiet">
          {nature(row)}
          {row.health === "dead" && (
            <span className="text-amber"> · {t("does not respond at the moment")}</span>
          )}
        </p>
        {row.why && (
          <p {...titleAttributes(row.language, row.why)} className="mt-1 max-w-measure break-words">
            {row.why}
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 break-words text-small text-quiet">
          {row.owner && (
            <>
              <Link to={urls.person(row.owner.id)} dir="auto" className="text-quiet">
                {row.owner.name}
              </Link>
              <Dot />
            </>
          )}
          <span>
            <Time at={row.createdAt} />
          </span>
          <Dot />
          <span>{audience(row.group)}</span>
          {row.comments > 0 && (
            <>
              <Dot />
              <span className="inline-flex items-center gap-1">
                <i className="icon icon-message-circle size-3.5" />
                {t("{count, plural, one {# comment} other {# comments}}", { count: row.comments })}
              </span>
            </>
          )}
        </p>
        {row.tags.length > 0 && (
          <p className="mt-1.5 flex flex-wrap gap-1.5">
            {row.tags.map((tag) => (
              <Tag key={tag} to={urls.resources({ tag })}>
                {tag}
              </Tag>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}

const Dot = () => <span aria-hidden>·</span>;
