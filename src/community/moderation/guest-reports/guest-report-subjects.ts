import { type Db, maybeOne, sql, type Tx } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { getPerson } from "#community/accounts";
import { getPost } from "#community/discussions";
import { getGroup } from "#community/groups";
import { getResource } from "#community/resources";
import { groupRules, GUEST, personRules, resourceRules } from "#community/rules";
import type { ReportDetails } from "../report-forms.ts";
import { insertPostReport } from "../report-content.ts";
import { insertReport } from "../report-people-and-groups.ts";
import {
  groupPictures,
  groupSnapshot,
  personPictures,
  personSnapshot,
  resourceSnapshot,
} from "../report-snapshots.ts";
import type { GuestReportKind } from "./guest-report-inputs.ts";

type Input = ReportDetails & { reason: string };

/** Loads each kind of content as a guest, and stores a report of it with a snapshot of what a guest sees. */
const SUBJECTS = {
  post: {
    async load(db, id) {
      const post = await getPost(db, GUEST, id);
      if (post.stub === "hidden")
        throw new Refusal(
          "conflict",
          "Others have reported this too. It is hidden until a moderator has reviewed it.",
        );
      if (post.html === null) throw notFound();
      return (tx, input) => insertPostReport(tx, post.id, { reporterId: null, input });
    },
  },
  person: {
    async load(db, id) {
      const person = await getPerson(db, GUEST, id);
      if (!personRules.report(GUEST, person)) throw notFound();
      return (tx, input) =>
        insertReport(tx, null, {
          about: { personId: person.id },
          authorId: person.id,
          html: personSnapshot(person),
          pictures: personPictures(person),
          input,
        });
    },
  },
  resource: {
    async load(db, id) {
      const resource = await getResource(db, GUEST, id);
      if (resource.state === "removed" || !resourceRules.report(GUEST, resource)) throw notFound();
      const owner = await maybeOne(
        db,
        sql<{
          ownerId: string | null;
        }>`select owner_id as "ownerId" from resources where id = ${resource.id}`,
      );
      return (tx, input) =>
        insertReport(tx, null, {
          about: { resourceId: resource.id },
          authorId: owner?.ownerId ?? null,
          html: resourceSnapshot(resource),
          input,
        });
    },
  },
  group: {
    async load(db, id) {
      const group = await getGroup(db, GUEST, id);
      if (!groupRules.report(GUEST, group)) throw notFound();
      return (tx, input) =>
        insertReport(tx, null, {
          about: { groupId: group.id },
          authorId: null,
          html: groupSnapshot(group),
          pictures: groupPictures(group),
          input,
        });
    },
  },
} satisfies Record<
  GuestReportKind,
  { load: (db: Db, id: string) => Promise<(tx: Tx, input: Input) => Promise<{ id: string }>> }
>;

/** @throws `not-found` for content that guests cannot see, `conflict` for a post that is already hidden */
export const assertVisibleToGuests = async (tx: Tx, kind: GuestReportKind, id: string): Promise<void> =>
  void (await SUBJECTS[kind].load(tx, id));

/**
 * Stores the report of a guest, in the case of its subject.
 * @throws as `assertVisibleToGuests`, and `not-allowed` if no moderator could decide it
 */
export async function insertGuestReport(
  tx: Tx,
  { kind, subjectId }: { kind: GuestReportKind; subjectId: string },
  input: Input,
): Promise<{ id: string }> {
  const insert = await SUBJECTS[kind].load(tx, subjectId);
  return insert(tx, input);
}
