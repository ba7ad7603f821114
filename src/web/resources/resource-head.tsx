import { useGroupTexts } from "../groups/group-texts.ts";
import { Time, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { BookmarkResource, FollowResource } from "./follow-resource.tsx";
import { KindIcon, useResourceSummary } from "./library/resource-kinds.tsx";
import type { ResourcePageData } from "./resource-data.ts";
import { ResourceMenu } from "./resource-menu.tsx";
import { Link } from "../ui/navigation/link.tsx";

/** Title, reason, owner and audience of a resource. */
export function ResourceHead({ page }: { page: ResourcePageData }) {
  const { me } = useRootData();
  const { resource } = page;
  const t = useTranslate();
  const nature = useResourceSummary();
  const { audience } = useGroupTexts();
  const { group, owner, language } = resource;
  return (
    <header>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-quiet">
        <KindIcon kind={resource.kind} size="size-4" />
        <span>{nature(resource)}</span>
        {resource.readingMinutes > 0 && (
          <>
            <Dot />
            <span>
              {t("{count, plural, one {# minute to read} other {# minutes to read}}", {
                count: resource.readingMinutes,
              })}
            </span>
          </>
        )}
      </p>
      <h1
        dir="auto"
        lang={language}
        className="mt-1 max-w-[24em] break-words font-serif text-headline font-semibold"
      >
        {resource.title}
      </h1>
      {resource.why && (
        <p dir="auto" lang={language} className="mt-2 max-w-measure break-words text-read text-quiet">
          {resource.why}
        </p>
      )}
      <p className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 break-words text-small text-quiet">
        {owner && (
          <span>
            <Rich
              text="Added by <0>{name}</0>"
              values={{ name: owner.name }}
              parts={{ 0: <Link to={urls.person(owner.id)} dir="auto" className="text-quiet" /> }}
            />
          </span>
        )}
        {owner && <Dot />}
        <span>
          {resource.updatedAt ? (
            <Rich text="Edited <0></0>" parts={{ 0: <Time at={resource.updatedAt} /> }} />
          ) : (
            <Rich text="Added <0></0>" parts={{ 0: <Time at={resource.createdAt} /> }} />
          )}
        </span>
        <Dot />
        <span>{audience(group, resource.audience)}</span>
      </p>
      <div className="-ms-3 mt-1 flex flex-wrap items-center print:hidden">
        {me && !resource.removedAt && (
          <>
            <BookmarkResource {...resource} />
            <FollowResource level={resource.level} />
          </>
        )}
        <ResourceMenu page={page} />
      </div>
    </header>
  );
}

const Dot = () => <span aria-hidden>·</span>;
