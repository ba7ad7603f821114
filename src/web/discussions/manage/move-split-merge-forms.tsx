import type { ReactNode } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { AudienceChange } from "../../groups/audience-change.tsx";
import { Button, CheckField, SelectField, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ManageData } from "./manage-discussion-data.ts";
import { ManageForm, ReasonField } from "./manage-forms.tsx";

type ManageProps = { data: ManageData };

/** The first of two steps: a GET form, so that the second step is a page with the choice in its address. */
function ChooseForm({
  deed,
  description,
  children,
  send,
}: {
  deed: string;
  description: ReactNode;
  children: ReactNode;
  send: string;
}) {
  return (
    <Form method="get" className="grid gap-4" preventScrollReset>
      <input type="hidden" name="do" value={deed} />
      <p className="text-quiet">{description}</p>
      {children}
      <p>
        <Button type="submit">{send}</Button>
      </p>
    </Form>
  );
}

export function MoveForm({ data: { discussion, move } }: ManageProps) {
  const t = useTranslate();
  if (!move) return null;
  const { groups, chosen } = move;
  if (groups.length === 0)
    return <p className="text-quiet">{t("You moderate no other group to move this to.")}</p>;
  return (
    <>
      <ChooseForm
        deed="move"
        description={t("The discussion keeps its address and is then listed in the other group.")}
        send={t("Check who can read it there")}
      >
        <SelectField name="to" label={t("Group")} defaultValue={chosen?.id} key={chosen?.id}>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </ChooseForm>
      {chosen && (
        <ManageForm
          intent="move"
          description={t("All posts move along.")}
          send={t("Move to {group}", { group: chosen.name })}
          busy={t("Moving…")}
        >
          <AudienceChange
            now={discussion.group}
            among={discussion.audience}
            then={chosen}
            amongThen={discussion.audience}
          />
          <input type="hidden" name="groupId" value={chosen.id} />
          <input type="hidden" name="visibility" value={chosen.visibility} />
          <ReasonField />
        </ManageForm>
      )}
    </>
  );
}

export function SplitForm({ data: { split } }: ManageProps) {
  const t = useTranslate();
  if (!split) return null;
  const { wanted, posts } = split;
  return (
    <>
      <ChooseForm
        deed="split"
        description={t("Some posts become a new discussion. Their numbers stay here and link to it.")}
        send={t("Show posts")}
      >
        <TextField
          name="posts"
          label={t("Posts")}
          hint={t("Post numbers, such as 4, 7-9 or 12- for all from 12 on. The first post stays.")}
          defaultValue={wanted}
          required
          autoComplete="off"
        />
      </ChooseForm>
      {wanted && posts.length === 0 && <p role="status">{t("No posts match.")}</p>}
      {posts.length > 0 && (
        <ManageForm
          intent="split"
          description={t("These posts move:")}
          send={t("Split")}
          busy={t("Moving…")}
          key={wanted}
        >
          <div className="grid gap-2">
            {posts.map(({ id, number, author, excerpt }) => (
              <CheckField
                key={id}
                name="postIds[]"
                value={id}
                defaultChecked
                label={`#${number} · ${author?.name ?? t("Someone")}`}
                hint={<span dir="auto">{excerpt}</span>}
              />
            ))}
          </div>
          <TextField
            name="title"
            label={t("Title of the new discussion")}
            required
            minLength={LIMITS.title.min}
            maxLength={LIMITS.title.max}
            dir="auto"
            autoComplete="off"
          />
          <ReasonField />
        </ManageForm>
      )}
    </>
  );
}

export function MergeForm({ data: { discussion, merge } }: ManageProps) {
  const t = useTranslate();
  if (!merge) return null;
  const { wanted, into } = merge;
  return (
    <>
      <ChooseForm
        deed="merge"
        description={t(
          "All posts move into the other discussion, in order of time, with new numbers. The address redirects there.",
        )}
        send={t("Next")}
      >
        <TextField
          name="into"
          label={t("Link of the other discussion")}
          defaultValue={wanted}
          required
          dir="ltr"
          autoComplete="off"
        />
      </ChooseForm>
      {wanted && !into && <p role="status">{t("No discussion that you moderate has this address.")}</p>}
      {into && (
        <ManageForm
          intent="merge"
          description={t(
            "“{title}” is merged into “{other}”. This cannot be undone; posts can be split off again.",
            {
              title: discussion.title,
              other: into.title,
            },
          )}
          send={t("Merge")}
          busy={t("Moving…")}
          kind="danger"
        >
          <AudienceChange
            now={discussion.group}
            among={discussion.audience}
            then={into.group}
            amongThen={into.audience}
          />
          <input type="hidden" name="into" value={into.id} />
          <input type="hidden" name="visibility" value={into.group.visibility} />
          <ReasonField />
        </ManageForm>
      )}
    </>
  );
}
