import { describe, expect, test } from "vitest";
import { reportResource } from "#community/moderation";
import { addDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import { createPerson, createTestUsers } from "../support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../support/leak-matrix/community.ts";
import {
  INSIDE_WORD,
  GROUP_NAME,
  NOTE_WORD,
  PRIVATE_WORD,
  PROFILE_WORD,
  REPORTED_WORD,
} from "../support/leak-matrix/marker-words.ts";
import {
  OUTSIDE_CLASSES,
  EXPECTED_VISIBILITY,
  createViewer,
  type ViewerClass,
} from "../support/leak-matrix/viewers.ts";
import { createRouteAddresses, PAGE_VIEWS } from "../support/leak-matrix/page-addresses.ts";
import { Limits, type RateLimit } from "#platform/limits";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/**
 * The leak matrix over the pages: every route of the build, as document and as data, for every kind of
 * viewer.
 */
const database = await testDatabase();
/** Rate limits that admit everyone: a viewer requests hundreds of pages, and a refused page shows nothing. */
class NoLimits extends Limits {
  override takeAndCount = async (_name: string, allowance: RateLimit): Promise<RateLimit> => allowance;
}
const { server, build, signer, as } = await serveBuiltPages(database, { limits: new NoLimits() });

const ROUTE_ADDRESSES = createRouteAddresses(signer);

/** Every path of the build, as written in `routes.ts`. */
async function patterns(): Promise<string[]> {
  const { routes } = await build();
  const whole = (id: string): string[] => {
    const route = routes[id];
    return route ? [...(route.parentId ? whole(route.parentId) : []), route.path ?? ""] : [];
  };
  const hasChildren = new Set(Object.values(routes).map((route) => route?.parentId));
  return (
    Object.keys(routes)
      // Routes without a loader only take forms and show nothing.
      .filter((id) => !hasChildren.has(id) && (routes[id]?.module.loader || routes[id]?.module.default))
      .map((id) => whole(id).filter(Boolean).join("/"))
      .filter((path) => path !== "*" && path !== "logout")
  );
}

async function addresses(at: LeakCommunity): Promise<string[]> {
  return (await patterns()).flatMap((pattern) =>
    pattern.includes(":")
      ? (ROUTE_ADDRESSES[pattern]?.(at) ?? [])
      : ["", ...(PAGE_VIEWS[pattern] ?? [])].map((view) => `/${pattern}${view}`),
  );
}

/** The same address as the client requests it. */
const asData = (address: string) => {
  const [path = "", query] = address.split("?", 2);
  return `${path === "/" ? "/_" : path}.data${query ? `?${query}` : ""}`;
};

type Form = "document" | "data";

const formsOf = (address: string, forms: readonly Form[]) =>
  forms.map((form) => (form === "document" ? address : asData(address)));

/** Responses to a viewer at each address of the community, as document, as data or both. */
const hears = async (viewer: Viewer, at: LeakCommunity, forms: readonly Form[]) =>
  hearsAt(
    viewer,
    (await addresses(at)).flatMap((it) => formsOf(it, forms)),
  );

/** Responses to a viewer at each address. */
async function hearsAt(
  viewer: Viewer,
  pages: readonly string[],
): Promise<Record<string, { status: number; body: string }>> {
  const whose = as(viewer);
  const heard: Record<string, { status: number; body: string }> = {};
  for (const address of pages) {
    const answer = await server.inject({
      url: address,
      headers: { host: "kith.test", accept: "text/html", ...whose },
    });
    heard[address] = { status: answer.statusCode, body: answer.body };
  }
  return heard;
}

type Heard = Awaited<ReturnType<typeof hears>>;
/** Case-sensitive: the lower-case name is in the group's address, which pages repeat. */
const waysTo = (word: string, heard: Heard) =>
  Object.keys(heard).filter((address) => heard[address]!.body.includes(word));

test("every route of the build is in the matrix", async () => {
  expect((await patterns()).filter((pattern) => pattern.includes(":") && !ROUTE_ADDRESSES[pattern])).toEqual(
    [],
  );
});

/**
 * Viewers whose pages of the secret group are read as documents, too. A document shows nothing but its data,
 * and the data of a secret group hides most.
 */
const DOCUMENT_READERS: ViewerClass[] = ["guest", "stranger", "invited"];

describe.each(["private", "secret"] as const)("pages of a %s group", (visibility) => {
  test.each(OUTSIDE_CLASSES)(
    "show a viewer who is %s only what the visibility allows",
    { timeout: 60_000 },
    async (viewerClass) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      const forms: Form[] =
        visibility === "secret" && DOCUMENT_READERS.includes(viewerClass) ? ["document", "data"] : ["data"];
      const heard = await hears(await createViewer(database, people, at.groupId, viewerClass), at, forms);
      const { name } = EXPECTED_VISIBILITY[visibility](viewerClass);
      const atTheDoor =
        visibility === "secret" && name
          ? ROUTE_ADDRESSES["groups/:groupId"]!(at).flatMap((address) => formsOf(address, forms))
          : [];
      expect(waysTo(PRIVATE_WORD, heard)).toEqual([]);
      // Staff read what was reported to them, with its place.
      const shown =
        viewerClass === "moderator of the site" || viewerClass === "admin"
          ? formsOf("/moderation", forms)
          : [];
      expect(waysTo(PROFILE_WORD, heard)).toEqual([]);
      if (shown.length === 0) expect(waysTo(NOTE_WORD, heard)).toEqual([]);
      expect(waysTo(REPORTED_WORD, heard)).toEqual(shown);
      expect(waysTo(INSIDE_WORD, heard).filter((address) => !atTheDoor.includes(address))).toEqual(shown);
      if (!name) expect(waysTo(GROUP_NAME, heard)).toEqual(shown);
      // A public name does not reveal the group's members.
      expect(waysTo(GROUP_NAME, heard).filter((address) => address.startsWith("/users/"))).toEqual([]);
      expect(
        Object.entries(heard)
          .filter(([, { status }]) => status >= 500 || status === 429)
          .map(([address]) => address),
      ).toEqual([]);
    },
  );

  test("show members everything, which proves that the test texts exist", { timeout: 60_000 }, async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const heard = await hears(people.mira, at, ["document", "data"]);
    const pages = waysTo(INSIDE_WORD, heard);
    for (const address of [
      `/groups/${at.slug}`,
      `/discussions/${at.discussionId}`,
      `/resources/${at.resourceId}`,
      "/?tab=latest",
      "/resources",
    ])
      expect(pages, address).toEqual(expect.arrayContaining([address, asData(address)]));
    expect(waysTo(PRIVATE_WORD, heard)).toEqual(
      expect.arrayContaining([`/groups/${at.slug}/new`, "/messages", `/conversations/${at.conversationId}`]),
    );
  });
});

test("pages show a hidden resource to its owner and moderators only", { timeout: 60_000 }, async () => {
  const people = await createTestUsers(database);
  const community = await createLeakCommunity(database, people, "public");
  const hiddenWord = "Hagebutte";
  const about = { why: hiddenWord, tags: [hiddenWord], language: "en", licence: "" };
  const document = { title: hiddenWord, body: hiddenWord, groupId: community.groupId, ...about };
  const { id: resourceId } = await database.inTransaction((tx) => addDocument(tx, people.mira, document));
  for (const name of ["elsa", "pavel"])
    await database.inTransaction(async (tx) =>
      reportResource(tx, await createPerson(tx, name), { resourceId, reason: "It sells." }),
    );
  const at = { ...community, resourceId };
  for (const viewer of [people.guest, people.noor])
    expect(waysTo(hiddenWord, await hears(viewer, at, ["data"]))).toEqual([]);
  const ofIt = ["", "/versions", "/versions?version=1"].map((view) =>
    asData(`/resources/${resourceId}${view}`),
  );
  for (const viewer of [people.mira, people.tomas])
    expect(waysTo(hiddenWord, await hearsAt(viewer, ofIt))).toEqual(ofIt);
});
