import { expect, test } from "vitest";
import { dataPath, listRouteFiles, toRouteObjects } from "./prefetch.ts";

const manifest = {
  routes: {
    root: { id: "root", path: "", module: "/root.js", imports: ["/frame.js"], css: ["/root.css"] },
    layout: { id: "layout", parentId: "root", module: "/layout.js", imports: ["/frame.js"] },
    home: { id: "home", parentId: "layout", index: true, module: "/home.js" },
    discussion: {
      id: "discussion",
      parentId: "layout",
      path: "discussions/:id",
      module: "/discussion.js",
      imports: ["/posts.js"],
    },
  },
};
const urlOf = (path: string) => new URL(path, "https://kith.test");

test.each([
  ["/", ["/root.js", "/frame.js", "/root.css", "/layout.js", "/frame.js", "/home.js"]],
  [
    "/discussions/7",
    ["/root.js", "/frame.js", "/root.css", "/layout.js", "/frame.js", "/discussion.js", "/posts.js"],
  ],
  ["/nowhere/at/all", []],
])("prefetching %s loads the files of its route", (path, files) => {
  expect(listRouteFiles(manifest, toRouteObjects(manifest), path)).toEqual(files);
});

test.each([
  ["/", "/_root.data"],
  ["/?tab=top", "/_root.data?tab=top"],
  ["/discussions/7?post=3", "/discussions/7.data?post=3"],
  ["/groups/garden?tab=members", "/groups/garden.data?tab=members"],
])("data of %s is prefetched", (path, data) => {
  expect(dataPath(urlOf(path))).toBe(data);
});

test.each([
  "/notifications",
  "/conversations/7",
  "/resources/7",
  "/groups/garden/manage",
  "/moderation/reports/7",
])(
  "data of %s is not prefetched, since loading marks something as seen or the page is rarely next",
  (path) => {
    expect(dataPath(urlOf(path))).toBeNull();
  },
);
