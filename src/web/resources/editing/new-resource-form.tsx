import { Form } from "react-router";
import type { Draft } from "#community/discussions";
import type { SavablePost, ExistingResource } from "#community/resources";
import type { Visibility } from "#community/rules";
import { DraftSaver } from "../../discussions/drafts/draft-saver.tsx";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { SelectField, SubmitButton } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ResourceFields } from "./resource-fields.tsx";

type Props = {
  kind: "link" | "document";
  groups: { id: string; name: string; visibility: Visibility; membersCount: number }[];
  chosen: string;
  /** Whether the viewer may add this kind to the library of the whole community. */
  forEveryone: boolean;
  locale: string;
  /** Unsent draft of a document. */
  draft: Draft | null;
  place: string;
  /** The post that is being saved to resources. */
  sourcePost: SavablePost | null;
  /** A returned resource that is edited to be sent again. */
  returned: Partial<Record<"title" | "why" | "url" | "tags" | "licence" | "language", string>> | null;
  /** Existing resources with the same URL. */
  existing: ExistingResource[];
};

export function NewResourceForm({
  kind,
  groups,
  chosen,
  forEveryone,
  locale,
  draft,
  place,
  sourcePost,
  returned,
  existing,
}: Props) {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-5 grid gap-5">
      {sourcePost && <SourcePost sourcePost={sourcePost} />}
      <ResourceFields
        kind={kind}
        values={{
          language: locale,
          title: draft?.title ?? sourcePost?.discussion.title,
          body: draft?.body ?? sourcePost?.body,
          why: draft?.more.why,
          tags: draft?.more.tags,
          url: sourcePost?.links[0],
          ...returned,
        }}
      >
        <AudienceField groups={groups} chosen={chosen} forEveryone={forEveryone} />
      </ResourceFields>
      {kind === "document" && !sourcePost && <DraftSaver target={place} draft={draft} />}
      <div>
        <SubmitButton name="intent" value={kind} busy={t("Adding…")}>
          {t("Add to the library")}
        </SubmitButton>
      </div>
      {/* Enter presses the first button, which checks a changed URL again, so "Add anyway" comes later. */}
      {existing.length > 0 && <AlreadySaved existing={existing} />}
    </Form>
  );
}

/** The post that the resource is made from; post and resource will link to each other. */
function SourcePost({
  sourcePost: { postId, number, author, discussion, links },
}: {
  sourcePost: SavablePost;
}) {
  const t = useTranslate();
  return (
    <div className="notice">
      <input type="hidden" name="postId" value={postId} />
      <div>
        <p>
          <Rich
            text="From post {number} of {name} in <0>{title}</0>. The post and the resource will link to each other."
            values={{ number, name: author ?? t("Someone"), title: discussion.title }}
            parts={{ 0: <Link to={urls.discussion(discussion.id, { post: number })} dir="auto" /> }}
          />
        </p>
        {links.length > 1 && (
          <ul className="mt-1 text-small break-all text-quiet">
            {links.map((link) => (
              <li key={link}>{link}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Existing resources with the URL that is being added: their discussions may already answer the question. */
function AlreadySaved({ existing }: { existing: ExistingResource[] }) {
  const t = useTranslate();
  return (
    <div role="alert" className="notice" data-tone="pending">
      <div>
        <p className="font-semibold">{t("This page is already in the library:")}</p>
        <ul>
          {existing.map((existingResource) => (
            <li key={existingResource.id}>
              <Link to={urls.resource(existingResource.id)} dir="auto">
                {existingResource.title}
              </Link>{" "}
              <span dir="auto" className="text-small text-quiet">
                {[existingResource.owner, existingResource.group?.name ?? t("Whole community")]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-2">
          <SubmitButton kind="plain" name="anyway" value="yes" busy={t("Adding…")}>
            {t("Add anyway")}
          </SubmitButton>
        </p>
      </div>
      <input type="hidden" name="intent" value="link" />
    </div>
  );
}

/** Field for the audience; each option says who will see the resource. */
export function AudienceField({
  groups,
  chosen,
  forEveryone,
}: Pick<Props, "groups" | "chosen" | "forEveryone">) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  if (!forEveryone && groups.length === 0)
    return (
      <p className="notice" data-tone="pending">
        <span>{t("New members can share links. Documents follow after a few days.")}</span>
      </p>
    );
  return (
    <SelectField
      name="groupId"
      label={t("Location")}
      defaultValue={chosen || (forEveryone ? "" : groups[0]?.id)}
    >
      {forEveryone && (
        <option value="">
          {t("Whole community")} · {audience(null)}
        </option>
      )}
      {groups.map((group) => (
        <option key={group.id} value={group.id}>
          {group.name} · {audience(group)}
        </option>
      ))}
    </SelectField>
  );
}
