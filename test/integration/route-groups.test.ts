import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { handlerByPrefix } from "../../src/web/server/route-prefixes.ts";
import { loadWebBuild } from "../../src/app/web-build.ts";

type Routes = ServerBuild["routes"];

const build = await (await loadWebBuild())();
const those = Object.values(build.routes).filter((route) => route !== undefined);

const within = (routes: Routes, parentId?: string): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route !== undefined)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }): RouteObject =>
      index ? { id, index: true } : { id, path, children: within(routes, id) },
    );

/** Where a router with these routes leads. */
const leading = ({ routes }: ServerBuild) => {
  const known = within(routes);
  return {
    leads: (pathname: string) => matchRoutes(known, pathname)?.at(-1)?.route.id,
    knows: Object.keys(routes).length,
  };
};
const whole = leading(build);
const of = handlerByPrefix(build, leading);

const addressOf = (id: string): string => {
  const { parentId, path = "" } = build.routes[id]!;
  return [parentId === undefined ? "" : addressOf(parentId), path].filter(Boolean).join("/");
};
/** An address with all optional parts, and one without. */
const examples = (address: string) => [
  `/${address
    .replaceAll(/:\w+\??/g, "some")
    .replaceAll("?", "")
    .replace("*", "no/such/page")}`,
  `/${address
    .replaceAll(/\/:?\w+\?/g, "")
    .replaceAll(/:\w+/g, "some")
    .replace("*", "no/such/page")}`,
];
const pages = those.filter(({ path, index }) => path !== undefined || index).map(({ id }) => id);

test.each(pages)("a page resolves as with all routes: %s", (id) => {
  for (const path of examples(addressOf(id)))
    for (const sent of [
      path,
      path.toUpperCase(),
      `${path}/`,
      `${path}?page=2`,
      path.replace(/^\/\w/, (it) => `/%${it.charCodeAt(1).toString(16)}`),
    ]) {
      const [pathname = ""] = sent.split("?");
      expect(whole.leads(pathname)).toBeDefined();
      expect([sent, of(sent).leads(pathname)]).toEqual([sent, whole.leads(pathname)]);
    }
});

test.each([
  "//discussions/some",
  "/nothing-of-ours",
  "/discussions-of-old",
  "/%",
  "/.data",
  "discussions",
  "",
])("an unknown address resolves the same: %j", (sent) => {
  expect(of(sent).leads(sent)).toBe(whole.leads(sent));
});

test.each([
  "/",
  "/_root.data",
  "/discussions/some",
  "/discussions.data",
  "/Discussions/some/replies?_routes=x",
  "/resources/some.data",
])("few routes are tried for %s", (sent) => {
  expect(of(sent).knows).toBeLessThan(whole.knows / 4);
});
