import { run, sql } from "#platform/database";
import {
  viewCase,
  reportGroup,
  reportPerson,
  reportResource,
  listCases,
  Resolution,
  resolveCase,
} from "#community/moderation";
import { getHomeSidebar } from "#community/notifications";
import { addLink, NewLink } from "#community/resources";
import { type SignedIn, type Viewer } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

/** Setup for reports of people, resources and groups, and their reviewers. */
export function setUpReporting(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  const reason = "It sells beans.";
  const onPerson = (who: Viewer, { id }: { id: string }) =>
    within((tx) => reportPerson(tx, who, { personId: id, reason }));
  const onResource = (who: Viewer, resourceId: string) =>
    within((tx) => reportResource(tx, who, { resourceId, reason }));
  const onGroup = (who: Viewer, groupId: string) => within((tx) => reportGroup(tx, who, { groupId, reason }));
  const look = (who: Viewer, reportId: string) => within((tx) => viewCase(tx, who, reportId));
  const end = (who: Viewer, reportId: string, outcome: string, why = "") =>
    within((tx) =>
      resolveCase(tx, who, Resolution.parse({ caseId: reportId, outcome, reason: why, note: "" })),
    );
  const listed = async (who: Viewer, tab: "open" | "resolved" = "open") =>
    (await listCases(db, who, { tab })).rows.map(({ id }) => id);
  const waiting = async (who: SignedIn) => (await getHomeSidebar(db, who, database.clock.at)).waiting.reports;
  const refused = (because: string) => ({ reason: because }) as const;

  const setProfile = (who: SignedIn, it: { bio?: string; pronouns?: string; privacy?: object }) =>
    run(
      db,
      sql`update people set bio_html = ${it.bio ?? ""}, pronouns = ${it.pronouns ?? ""},
        privacy = ${JSON.stringify(it.privacy ?? {})}::jsonb
          where id = ${who.id}`,
    );
  const aLink = (who: SignedIn, groupId?: string) =>
    within((tx) =>
      addLink(
        tx,
        who,
        NewLink.parse({
          title: "Beans & more",
          url: "https://example.org/shop",
          why: "Cheap",
          ...(groupId && { groupId }),
        }),
      ),
    );
  return { reason, onPerson, onResource, onGroup, look, end, listed, waiting, refused, setProfile, aLink };
}
